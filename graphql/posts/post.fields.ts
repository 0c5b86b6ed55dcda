/** The fields of a post that lead to other records, and what its viewer may do with it. */
import * as policy from "../../src/resources/posts/post.policy.js";
import { mayCreate as mayComment } from "../../src/resources/comments/comment.policy.js";
import { mayFlag } from "../../src/resources/post-flags/post-flag.policy.js";
import { mayEdit as mayAnnotate } from "../../src/resources/notes/note.policy.js";
import { mayCall } from "../../src/resources/permissions.js";
import type { PostRecord, PostRef } from "../../src/resources/posts/post.records.js";
import { PostAppeal } from "../post-appeals/post-appeal.type.js";
import { PostFlag } from "../post-flags/post-flag.type.js";
import { TAGS } from "../shared/bounded.js";
import { Tag } from "../tags/tag.type.js";
import { User } from "../users/user.type.js";
import { recordOf } from "./finished-posts.js";
import { Post } from "./post.type.js";
import { SameForAll } from "./split.js";
import { Thumbnail, thumbnailOf } from "./thumbnail.type.js";
import { resolversOf } from "../shared/operations.js";
import { relation, records, recordsBy, abilities, computed, computedList } from "../shared/record-fields.js";
import { boolean, nested, nullable, oneOf, strings } from "../shared/fields.js";
import { voteOf, VoteScore } from "../shared/enums.js";

resolversOf(Post, {
  uploader: relation(() => User, "The user who uploaded it."),

  approver: relation(() => User, "The user who last approved it."),

  parent: relation(() => Post, "The parent post."),

  children: recordsBy(
    () => Post,
    ({ childIds }: PostRecord) => childIds,
    "The child posts.",
  ),

  flags: records(() => PostFlag, "postFlags", "The flags, newest first, including those of its deletions."),

  appeals: records(() => PostAppeal, "postAppeals", "The appeals, newest first."),

  tags: computedList(
    () => Tag,
    TAGS,
    "The tags, by name.",
    async (post: PostRef, context, limit) => {
      const record = await recordOf(post, context); // posts of which nothing else is selected come without
      return record ? context.loaders.postTags.load({ post: record, limit }) : [];
    },
  ),

  viewerCan: abilities("a post", {
    update: [policy.mayUpdate, "Edit its tags, rating, source and parent, and revert it."],
    vote: [policy.mayVote, "Vote on it."],
    lock: [(viewer) => policy.mayLock(viewer, "rating"), "Lock and unlock its notes and rating."],
    lockStatus: [(viewer) => policy.mayLock(viewer, "status"), "Lock and unlock its status."],
    flag: [mayFlag, "Flag it for deletion."],
    appeal: [policy.mayAppeal, "Appeal it if it is deleted or flagged."],
    copyNotes: [policy.mayUpdate, "Copy notes onto it."],
    approve: [policy.mayApprove, "Approve it; nobody can approve their own upload."],
    delete: [policy.mayDelete, "Delete it."],
    undelete: [policy.mayUndelete, "Restore it if it is deleted."],
    ban: [policy.mayBan, "Ban and unban it."],
    moveFavorites: [policy.mayMoveFavorites, "Move its favorites to its parent."],
    expunge: [policy.mayExpunge, "Expunge it."],
    favorite: [mayCall("createFavorite"), "Add it to the favorites."],
    comment: [mayComment, "Comment on it."],
    annotate: [
      (viewer, post: PostRecord) => mayAnnotate(viewer) && !post.isNoteLocked,
      "Add notes; nobody can while they are locked.",
    ],
  }),

  thumbnail: computed(
    nullable(nested(() => Thumbnail, "The thumbnail; null if the viewer may not see the file.", SameForAll())),
    thumbnailOf,
  ),

  viewerHasFavorited: computed(
    boolean("Whether the viewer added it to their favorites."),
    ({ id }: PostRef, { loaders }) => loaders.postFavorited.load(id),
  ),

  hiddenBy: computed(
    strings("The lines of the viewer's blacklist, or of the board's default for visitors, that match it."),
    (post: PostRef, { loaders }) => loaders.postHiddenBy.load(post),
  ),

  viewerVote: computed(
    nullable(oneOf(VoteScore, "The viewer's vote; null if they have not voted.")),
    async (post: PostRecord, { loaders }) => voteOf(await loaders.postVote.load(post.id)),
  ),
});
