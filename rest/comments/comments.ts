import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { groupedByPost } from "../posts/grouped.js";

export const comments = [
  ...resource("comment", { record: documents.CommentFieldsFragmentDoc }, [
    {
      method: "GET",
      path: "/comments",
      field: "comments",
      choice: groupedByPost("comment", "/comments", documents.CommentedPostsIndexDocument),
    },
    { method: "GET", path: "/comments/:id", field: "comment" },
    { method: "POST", path: "/comments", field: "createComment" },
    { method: "PUT", path: "/comments/:id", field: "updateComment" },
    { method: "DELETE", path: "/comments/:id", field: "deleteComment" },
    { method: "POST", path: "/comments/:id/undelete", field: "undeleteComment" },
  ]),
  ...resource("comment_vote", { record: documents.CommentVoteFieldsFragmentDoc }, [
    { method: "GET", path: "/comment_votes", field: "commentVotes" },
    { method: "POST", path: "/comments/:comment_id/votes", document: documents.CommentVotesCreateDocument },
    { method: "DELETE", path: "/comments/:comment_id/votes", document: documents.CommentVotesDeleteDocument },
  ]),
];
