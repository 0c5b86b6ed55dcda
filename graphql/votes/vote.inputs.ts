import { int, string, ints, nullable, allNullable, inputType } from "../shared/fields.js";

/** What both searches have. */
const voteSearch = allNullable({
  id: ints("Votes with these IDs."),
  userId: ints("Votes of these users."),
  userName: string("Votes of the user with this name."),
  score: int("Only upvotes (1) or downvotes (-1)."),
});

export const PostVoteSearch = inputType("PostVoteSearch", "Filters for the list of votes on posts.", {
  ...voteSearch,
  postId: nullable(ints("Votes on these posts.")),
});

export const CommentVoteSearch = inputType("CommentVoteSearch", "Filters for the list of votes on comments.", {
  ...voteSearch,
  commentId: nullable(ints("Votes on these comments.")),
});
