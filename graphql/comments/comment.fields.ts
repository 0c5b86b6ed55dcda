/** The fields of a comment that are more than a column, and the comments of a post. */
import { mayDelete, maySeeBody, mayUndelete, mayUpdate, mayVote } from "../../src/resources/comments/comment.policy.js";
import type { CommentRecord } from "../../src/resources/comments/comment.records.js";
import { renderDText } from "../../src/text/dtext.js";
import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { Comment } from "./comment.type.js";
import { resolver, relation, records, abilities, computed } from "../shared/operations.js";
import { nullable, oneOf, string } from "../shared/fields.js";
import { voteOf, VoteScore } from "../shared/enums.js";

export const CommentFields = resolver(Comment, {
  post: relation(() => Post, "The post."),

  creator: relation(() => User, "The user who wrote it."),

  updater: relation(() => User, "The user who last edited, deleted or restored it."),

  viewerCan: abilities("a comment", {
    update: [mayUpdate, "Edit its text."],
    delete: [mayDelete, "Delete it."],
    undelete: [
      (viewer, comment: CommentRecord) => comment.isDeleted && mayUndelete(viewer, comment),
      "Restore it if it is deleted.",
    ],
    vote: [mayVote, "Vote on it. Nobody can upvote their own comment."],
  }),

  viewerVote: computed(
    nullable(oneOf(VoteScore, "The viewer's vote; null if they have not voted.")),
    async (comment: CommentRecord, { loaders }) => voteOf(await loaders.commentVote.load(comment.id)),
  ),

  bodyHtml: computed(
    string("The text as sanitized HTML; empty if `body` is empty."),
    (comment: CommentRecord, { viewer }) => (maySeeBody(viewer, comment) ? renderDText(comment.body) : ""),
  ),

  body: computed(
    string(
      "The text as written; clients must sanitize it before display. Empty for deleted comments unless the viewer is the creator or a Janitor or above.",
    ),
    (comment: CommentRecord, { viewer }) => (maySeeBody(viewer, comment) ? comment.body : ""),
  ),
});

export const PostComments = resolver(Post, {
  comments: records(
    () => Comment,
    "postComments",
    "The newest comments, oldest first, including deleted ones without their text.",
  ),
});
