/**
 * Actions with hourly limits of their own, since they cost other users more than a request does: they have to read mail and clean up tags. New tags and posts of pools are counted by `bulk.ts`. Comments, uploads, flags and appeals are limited by the rows that they create.
 */
import type { Config } from "../../config.js";

/** Each with the setting of its hourly limit, and its name in an error. */
export const ACTIONS = {
  dmail: { setting: "DMAILS_PER_HOUR", name: "dmails" },
  forumPost: { setting: "FORUM_POSTS_PER_HOUR", name: "forum posts" },
  newTag: { setting: "NEW_TAGS_PER_HOUR", name: "new tags" },
  pooledPost: { setting: "POOL_POSTS_PER_HOUR", name: "posts added to or removed from pools" },
  postEdit: { setting: "POST_EDITS_PER_HOUR", name: "edits of posts" },
  recordEdit: { setting: "RECORD_EDITS_PER_HOUR", name: "edits" },
  vote: { setting: "VOTES_PER_HOUR", name: "votes" },
} as const satisfies Record<string, { setting: keyof Config; name: string }>;

export type ActionName = keyof typeof ACTIONS;
