import { CommentVote } from "../comments/comment.type.js";
import { PostVote } from "../posts/post.inputs.js";
import { CommentVoteSearch, PostVoteSearch } from "./vote.inputs.js";
import { resolver, list } from "../shared/operations.js";

export const VoteResolver = resolver(PostVote, {
  postVotes: list({
    of: PostVote,
    description: "Lists your own votes on posts, newest first; for Admins, everybody's.",
    search: [PostVoteSearch, "Which votes to list."],
    find: ({ board, viewer }, search, page) => board.voteSearch.onPosts(viewer, search, page),
  }),

  commentVotes: list({
    of: CommentVote,
    description: "Lists your own votes on comments, newest first; for Admins, everybody's.",
    search: [CommentVoteSearch, "Which votes to list."],
    find: ({ board, viewer }, search, page) => board.voteSearch.onComments(viewer, search, page),
  }),
});
