import type { ClassType } from "type-graphql";
import type { Board } from "../../src/board.js";
import { lowerFirst, toWords } from "../../src/lib/case.js";
import { Comment } from "../comments/comment.type.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { VoteScore } from "../shared/enums.js";
import { date, int, ints, nested, nullable, objectType, oneOf, string } from "../shared/fields.js";
import { list, mutation, resolversOf } from "../shared/operations.js";

/** Declares the votes on records of a type: their list, and the mutations that add and remove them. The id of the record is `<record>Id`. */
function declareVotes(
  on: ClassType,
  description: string,
  serviceOf: (board: Board) => Board["postVotes" | "commentVotes"],
): void {
  const [record, word] = [lowerFirst(on.name) as "post" | "comment", toWords(on.name)];
  const key = `${record}Id` as const;
  const id = { [key]: int(`ID of the ${word}.`) };
  const Vote = objectType(`${on.name}Vote`, description, {
    id: int("ID of the vote."),
    ...id,
    userId: int("Who voted."),
    score: int("1 for an upvote, -1 for a downvote."),
    createdAt: date("When the vote was created."),
    updatedAt: date("When the vote last changed."),
  });
  const payload = (name: string, vote: string) =>
    objectType(`${name}${Vote.name}Payload`, `The ${vote} and the ${word} with its new score.`, {
      vote: nested(() => Vote, `The ${vote}.`),
      [record]: nullable(nested(() => on, `The ${word} with its new score.`)),
    });
  const answer = async ({ loaders }: GraphQLContext, vote: object, number: number) => ({
    vote,
    [record]: await loaders[record].load(number),
  });
  const numberIn = (input: object) => (input as Record<typeof key, number>)[key];

  resolversOf(Vote, {
    [`${record}Votes`]: list({
      of: Vote,
      description: `Lists the viewer's votes on ${word}s, newest first; for Admins, all users' votes.`,
      search: {
        id: ints("Votes with these IDs."),
        userId: ints("Votes of these users."),
        userName: string("Votes of the user with this name."),
        score: int("Only upvotes (1) or downvotes (-1)."),
        [key]: ints(`Votes on these ${word}s.`),
      },
      find: ({ board, viewer }, search, page) => serviceOf(board).search(viewer, search, page),
    }),

    [`create${Vote.name}`]: mutation({
      description: `Votes on a ${word}.`,
      limited: "vote",
      input: [
        { ...id, score: oneOf(VoteScore, "The direction.") },
        `A vote on a ${word}.`,
        `The ${word} and the direction of the vote.`,
      ],
      payload: payload("Create", "vote"),
      resolve: async (context, input) => {
        const score = input.score === "up" ? 1 : -1;
        return answer(context, await serviceOf(context.board).create(context, numberIn(input), score), numberIn(input));
      },
    }),

    [`delete${Vote.name}`]: mutation({
      description: `Removes the viewer's vote on a ${word}.`,
      limited: "vote",
      input: [id, `The ${word} whose vote to remove.`, `The ${word}.`],
      payload: payload("Delete", "removed vote"),
      resolve: async (context, input) =>
        answer(context, await serviceOf(context.board).delete(context, numberIn(input)), numberIn(input)),
    }),
  });
}

declareVotes(Post, "A user's vote on a post.", ({ postVotes }) => postVotes);
declareVotes(Comment, "A vote on a comment.", ({ commentVotes }) => commentVotes);
