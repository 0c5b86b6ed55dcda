import type { ClassType } from "type-graphql";
import type { Board } from "../../src/board.js";
import { lowerFirst, toWords } from "../../src/lib/case.js";
import { Comment } from "../comments/comment.type.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { VoteScore } from "../shared/enums.js";
import { date, int, ints, nested, nullable, objectType, oneOf, string } from "../shared/fields.js";
import { list, type Member, mutation, resolversOf } from "../shared/operations.js";

const voteType = (name: string, description: string, key: "postId" | "commentId") =>
  objectType(name, description, {
    id: int("ID of the vote."),
    [key]: int(`ID of the ${key.slice(0, -2)}.`),
    userId: int("Who voted."),
    score: int("1 for an upvote, -1 for a downvote."),
    createdAt: date("When the vote was created."),
    updatedAt: date("When the vote last changed."),
  });

const PostVote = voteType("PostVote", "A user's vote on a post.", "postId");
const CommentVote = voteType("CommentVote", "A vote on a comment.", "commentId");

const filters = {
  id: ints("Votes with these IDs."),
  userId: ints("Votes of these users."),
  userName: string("Votes of the user with this name."),
  score: int("Only upvotes (1) or downvotes (-1)."),
};

type VoteService = Pick<Board["postVotes" | "commentVotes"], "create" | "delete">;

/** The mutations that add and remove votes on records of a type, whose id is `<record>Id` of their input. */
function voting(on: ClassType, Vote: ClassType, serviceOf: (board: Board) => VoteService) {
  const [record, word] = [lowerFirst(on.name) as "post" | "comment", toWords(on.name)];
  const key = `${record}Id` as const;
  const id = { [key]: int(`ID of the ${word}.`) };
  const numberIn = (input: object) => (input as Record<typeof key, number>)[key];
  const answer = async ({ loaders }: GraphQLContext, vote: object, number: number) => ({
    vote,
    [record]: await loaders[record].load(number),
  });
  const payload = (name: string, vote: string) =>
    objectType(`${name}${Vote.name}Payload`, `The ${vote} and the ${word} with its new score.`, {
      vote: nested(() => Vote, `The ${vote}.`),
      [record]: nullable(nested(() => on, `The ${word} with its new score.`)),
    });
  const create: Member = mutation({
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
  });
  const remove: Member = mutation({
    description: `Removes the viewer's vote on a ${word}.`,
    limited: "vote",
    input: [id, `The ${word} whose vote to remove.`, `The ${word}.`],
    payload: payload("Delete", "removed vote"),
    resolve: async (context, input) =>
      answer(context, await serviceOf(context.board).delete(context, numberIn(input)), numberIn(input)),
  });
  return { create, remove };
}

const onPosts = voting(Post, PostVote, ({ postVotes }) => postVotes);
const onComments = voting(Comment, CommentVote, ({ commentVotes }) => commentVotes);

resolversOf(PostVote, {
  postVotes: list({
    of: PostVote,
    description: "Lists the viewer's votes on posts, newest first; for Admins, all users' votes.",
    search: { ...filters, postId: ints("Votes on these posts.") },
    find: ({ board, viewer }, search, page) => board.postVotes.search(viewer, search, page),
  }),

  commentVotes: list({
    of: CommentVote,
    description: "Lists the viewer's votes on comments, newest first; for Admins, all users' votes.",
    search: { ...filters, commentId: ints("Votes on these comments.") },
    find: ({ board, viewer }, search, page) => board.commentVotes.search(viewer, search, page),
  }),

  createPostVote: onPosts.create,
  deletePostVote: onPosts.remove,
  createCommentVote: onComments.create,
  deleteCommentVote: onComments.remove,
});
