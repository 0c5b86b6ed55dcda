/**
 * What is counted apart from the hour's requests, since each of it costs others more than a request does: who reads the mail, who
 * cleans the tags up. Comments, uploads, flags and appeals have limits of their own, by the rows that they leave.
 */
import { Level } from "../auth/levels.js";
import type { Viewer } from "../auth/viewer.js";
import type { Config } from "../../config.js";

/** Each with the setting of its hourly limit, and what it is called in a refusal. */
export const ACTIONS = {
  dmail: { setting: "DMAILS_PER_HOUR", name: "dmails" },
  forumPost: { setting: "FORUM_POSTS_PER_HOUR", name: "forum posts" },
  postEdit: { setting: "POST_EDITS_PER_HOUR", name: "edits of posts" },
  recordEdit: { setting: "RECORD_EDITS_PER_HOUR", name: "edits" },
  vote: { setting: "VOTES_PER_HOUR", name: "votes" },
} as const satisfies Record<string, { setting: keyof Config; name: string }>;

export type ActionName = keyof typeof ACTIONS;

const WEEK = 7 * 24 * 3600 * 1000;
/** Part of the limit that an account has in its first week. */
const NEW_SHARE = 1 / 5;

/** Levels that are given by hand have shown what they do with it. */
export const isLimited = ({ level }: Viewer): boolean => level < Level.Builder;

/** Whether an account is in its first week. @param now milliseconds since 1970 */
export const isNew = ({ createdAt }: Viewer, now = Date.now()): boolean =>
  createdAt !== undefined && now - createdAt.getTime() < WEEK;

/** How often an hour the viewer may do it. */
export const limitOf = (config: Config, action: ActionName, viewer: Viewer): number => {
  const limit = config[ACTIONS[action].setting];
  return isNew(viewer) ? Math.ceil(limit * NEW_SHARE) : limit;
};
