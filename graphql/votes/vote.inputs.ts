import { int, string, ints, nullable, allNullable, inputType } from "../shared/fields.js";

/** What both searches have. */
const voteSearch = allNullable({
  id: ints("Votes of these numbers."),
  userId: ints("Votes of these users."),
  userName: string("Votes of the user of this name."),
  score: int("Votes up (1) or down (-1)."),
});

export const PostVoteSearch = inputType("PostVoteSearch", "Which votes on posts to list.", {
  ...voteSearch,
  postId: nullable(ints("Votes on these posts.")),
});

export const CommentVoteSearch = inputType("CommentVoteSearch", "Which votes on comments to list.", {
  ...voteSearch,
  commentId: nullable(ints("Votes on these comments.")),
});
