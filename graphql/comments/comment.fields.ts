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

  creator: relation(() => User, "Who wrote it."),

  updater: relation(() => User, "Who last edited, deleted or restored it."),

  viewerCan: abilities("a comment", {
    update: [mayUpdate, "Change its text."],
    delete: [mayDelete, "Delete it."],
    undelete: [
      (viewer, comment: CommentRecord) => comment.isDeleted && mayUndelete(viewer, comment),
      "Bring it back, where it is deleted.",
    ],
    vote: [mayVote, "Vote on it; up only where it is somebody else's."],
  }),

  viewerVote: computed(
    nullable(oneOf(VoteScore, "How the viewer voted; null for not at all.")),
    async (comment: CommentRecord, { loaders }) => voteOf(await loaders.commentVote.load(comment.id)),
  ),

  bodyHtml: computed(
    string("The text as HTML that is safe to show; empty where `body` is."),
    (comment: CommentRecord, { viewer }) => (maySeeBody(viewer, comment) ? renderDText(comment.body) : ""),
  ),

  body: computed(
    string(
      "The text as it was written; whoever shows it must sanitise it. Of a deleted comment it is empty but for its creator, Janitors and above.",
    ),
    (comment: CommentRecord, { viewer }) => (maySeeBody(viewer, comment) ? comment.body : ""),
  ),
});

export const PostComments = resolver(Post, {
  comments: records(
    () => Comment,
    "postComments",
    "The newest comments, oldest first; deleted ones too, without their text.",
  ),
});
