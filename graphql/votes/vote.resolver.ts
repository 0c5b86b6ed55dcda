import { CommentVote } from "../comments/comment.type.js";
import { PostVote } from "../posts/post.inputs.js";
import { CommentVoteSearch, PostVoteSearch } from "./vote.inputs.js";
import { resolver, list } from "../shared/operations.js";

export const VoteResolver = resolver(PostVote, {
  postVotes: list({
    of: PostVote,
    description: "Lists the viewer's votes on posts, newest first; for Admins, all users' votes.",
    search: [PostVoteSearch, "Filters for the list of votes."],
    find: ({ board, viewer }, search, page) => board.voteSearch.onPosts(viewer, search, page),
  }),

  commentVotes: list({
    of: CommentVote,
    description: "Lists the viewer's votes on comments, newest first; for Admins, all users' votes.",
    search: [CommentVoteSearch, "Filters for the list of votes."],
    find: ({ board, viewer }, search, page) => board.voteSearch.onComments(viewer, search, page),
  }),
});
