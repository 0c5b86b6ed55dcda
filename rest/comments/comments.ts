import {
  CommentedPostsIndexDocument,
  CommentsCreateDocument,
  CommentsDeleteDocument,
  CommentsIndexDocument,
  CommentsShowDocument,
  CommentsUndeleteDocument,
  CommentsUpdateDocument,
  CommentVotesCreateDocument,
  CommentVotesDeleteDocument,
  CommentVotesIndexDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { groupedByPost } from "../posts/grouped.js";

export const comments = [
  ...resource("comment", [
    {
      method: "GET",
      path: "/comments",
      document: CommentsIndexDocument,
      choice: groupedByPost("comment", "/comments", CommentedPostsIndexDocument),
    },
    { method: "GET", path: "/comments/:id", document: CommentsShowDocument },
    { method: "POST", path: "/comments", document: CommentsCreateDocument },
    { method: "PUT", path: "/comments/:id", document: CommentsUpdateDocument },
    { method: "DELETE", path: "/comments/:id", document: CommentsDeleteDocument },
    { method: "POST", path: "/comments/:id/undelete", document: CommentsUndeleteDocument },
  ]),
  ...resource("comment_vote", [
    { method: "GET", path: "/comment_votes", document: CommentVotesIndexDocument },
    { method: "POST", path: "/comments/:comment_id/votes", document: CommentVotesCreateDocument },
    { method: "DELETE", path: "/comments/:comment_id/votes", document: CommentVotesDeleteDocument },
  ]),
];
