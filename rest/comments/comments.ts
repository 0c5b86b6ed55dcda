import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { groupedByPost } from "../posts/grouped.js";

export const comments = [
  ...resource("comment", [
    {
      method: "GET",
      path: "/comments",
      document: documents.CommentsIndexDocument,
      choice: groupedByPost("comment", "/comments", documents.CommentedPostsIndexDocument),
    },
    { method: "GET", path: "/comments/:id", document: documents.CommentsShowDocument },
    { method: "POST", path: "/comments", document: documents.CommentsCreateDocument },
    { method: "PUT", path: "/comments/:id", document: documents.CommentsUpdateDocument },
    { method: "DELETE", path: "/comments/:id", document: documents.CommentsDeleteDocument },
    { method: "POST", path: "/comments/:id/undelete", document: documents.CommentsUndeleteDocument },
  ]),
  ...resource("comment_vote", [
    { method: "GET", path: "/comment_votes", document: documents.CommentVotesIndexDocument },
    { method: "POST", path: "/comments/:comment_id/votes", document: documents.CommentVotesCreateDocument },
    { method: "DELETE", path: "/comments/:comment_id/votes", document: documents.CommentVotesDeleteDocument },
  ]),
];
