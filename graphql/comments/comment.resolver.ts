/** Comments, and the comments of a post. Votes on them are in `votes/`. */
import { mayDelete, maySeeBody, mayUndelete, mayUpdate, mayVote } from "../../src/resources/comments/comment.policy.js";
import type { CommentRecord } from "../../src/resources/comments/comment.records.js";
import { renderStored } from "../../src/text/rendered.js";
import { Post } from "../posts/post.type.js";
import { editsOf } from "../shared/edits.js";
import { voteOf, VoteScore } from "../shared/enums.js";
import {
  allNullable,
  boolean,
  Costing,
  enumType,
  int,
  ints,
  nullable,
  oneOf,
  optionalInput,
  string,
} from "../shared/fields.js";
import { list, one, resolversOf } from "../shared/operations.js";
import { abilities, computed, records, relation } from "../shared/record-fields.js";
import { User } from "../users/user.type.js";
import { Comment } from "./comment.type.js";

/** Cost of a text as HTML: up to 7 milliseconds, but only for the first request for it. */
const RENDERING = 15;

const CommentOrder = enumType("CommentOrder", "Sort orders of comments.", {
  ID: ["id", "Newest first."],
  ID_ASC: ["id_asc", "Oldest first."],
  POST_ID: ["post_id", "By post, newest first."],
  POST_ID_ASC: ["post_id_asc", "By post, oldest first."],
  SCORE: ["score", "Highest score first."],
  SCORE_ASC: ["score_asc", "Lowest score first."],
  UPDATED_AT: ["updated_at", "Most recently edited first."],
  UPDATED_AT_ASC: ["updated_at_asc", "Least recently edited first."],
});

const CommentSearch = optionalInput("CommentSearch", "Filters for the list of comments.", {
  id: ints("Comments with these IDs."),
  bodyMatches: string("Words of the text; with `*`, a pattern that matches the whole text."),
  postId: ints("Comments on these posts."),
  postTagsMatch: string("Comments on posts with these tags; no meta-tags."),
  creatorName: string("Comments by the user with this name."),
  creatorId: ints("Comments by these users."),
  isDeleted: boolean("Only deleted (true) or active (false) comments."),
  isSticky: boolean("Only comments that are pinned (true) or not (false)."),
  doNotBumpPost: boolean("Only comments that do not bump their post (true) or that do (false)."),
  order: oneOf(CommentOrder, "The sort order; newest first by default."),
});

const content = {
  body: string("The text."),
  ...allNullable({
    doNotBumpPost: boolean("Do not bump the post in the comment listing."),
    isSticky: boolean("Pin it above the other comments; Janitors and above."),
  }),
};

const edits = editsOf(Comment, ({ comments }) => comments);

resolversOf(Comment, {
  comments: list({
    of: Comment,
    description: "Lists comments, newest first.",
    search: [CommentSearch, "Filters for the list of comments."],
    find: ({ board, viewer }, search, page) => board.comments.search(viewer, search, page),
  }),

  commentedPosts: list({
    of: Post,
    description: "Lists posts with comments, most recently bumped first.",
    search: [CommentSearch, "Filters for comments, of which a post must match at least one."],
    args: { tags: nullable(string("Tags of the posts; no meta-tags.")) },
    find: ({ board, viewer }, search, page, { tags }) => board.comments.searchPosts(viewer, search, tags ?? null, page),
  }),

  comment: one({ of: Comment, description: "One comment.", id: "ID of the comment." }),

  createComment: edits.create("Comments on a post.", { postId: int("ID of the post."), ...content }, null),
  updateComment: edits.update("Edits a comment.", content),
  deleteComment: edits.act("delete", "Deletes a comment, which can be restored."),
  undeleteComment: edits.act("undelete", "Restores a deleted comment."),

  post: relation(() => Post, "The post."),
  creator: relation(() => User, "The user who wrote it."),
  updater: relation(() => User, "The user who last edited, deleted or restored it."),

  body: computed(
    string(
      "The text as written; clients must sanitize it before display. Empty for deleted comments unless the viewer is the creator or a Janitor or above.",
    ),
    (comment: CommentRecord, { viewer }) => (maySeeBody(viewer, comment) ? comment.body : ""),
  ),

  bodyHtml: computed(
    string("The text as sanitized HTML; empty if `body` is empty.", Costing(RENDERING)),
    (comment: CommentRecord, { viewer }) => (maySeeBody(viewer, comment) ? renderStored(comment.body) : ""),
  ),

  viewerVote: computed(
    nullable(oneOf(VoteScore, "The viewer's vote; null if they have not voted.")),
    async (comment: CommentRecord, { loaders }) => voteOf(await loaders.commentVote.load(comment.id)),
  ),

  viewerCan: abilities("a comment", {
    update: [mayUpdate, "Edit its text."],
    delete: [mayDelete, "Delete it."],
    undelete: [
      (viewer, comment: CommentRecord) => comment.isDeleted && mayUndelete(viewer, comment),
      "Restore it if it is deleted.",
    ],
    vote: [mayVote, "Vote on it. Nobody can upvote their own comment."],
  }),
});

resolversOf(Post, {
  comments: records(
    () => Comment,
    "postComments",
    "The newest comments, oldest first, including deleted ones without their text.",
  ),
});
