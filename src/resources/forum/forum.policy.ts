/** Who may do what in the forum: creators with their own, Janitors with all; pinning, locking and hiding is for Moderators. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import { janitor, member, moderator, type Rule } from "../shared/policy.js";

interface Restricted {
  /** lowest level that may see it */
  minLevel: number;
}

interface Owned {
  creatorId: number;
  isDeleted: boolean;
}

/** The level up to which topics are visible to a viewer; a ban takes it away. */
export const visibleLevel = ({ level, isBanned }: Viewer): number => (isBanned ? 0 : level);

/** To everybody else, the topic and its posts are not there. */
export const maySeeTopic: Rule<Restricted> = (viewer, { minLevel }) => minLevel <= visibleLevel(viewer);

/** Whether lists show deleted topics and posts without being asked for them. */
export const seesDeleted: Rule = janitor;

export const mayCreate: Rule<unknown> = member;

const isOwn: Rule<Owned> = (viewer, record) => member(viewer, undefined) && viewer.id === record.creatorId;

/** A deleted topic or post is no longer its creator's to edit. */
export const mayEdit: Rule<Owned> = (viewer, record) =>
  janitor(viewer, undefined) || (isOwn(viewer, record) && !record.isDeleted);

export const mayDelete: Rule<Owned> = (viewer, record) => janitor(viewer, undefined) || isOwn(viewer, record);

export const mayUndelete: Rule<unknown> = janitor;

/** To pin topics, to lock them, and to hide them from lower levels. */
export const mayModerate: Rule<unknown> = moderator;

interface Lockable {
  isLocked: boolean;
}

/** Whether the viewer may write in the topic although it may be locked. */
export const passesLock: Rule<Lockable> = (viewer, topic) => !topic.isLocked || janitor(viewer, undefined);

/** A rule for topics, or for posts, that does not hold in a locked topic for viewers whom the lock stops. */
export const unlessLocked =
  <Record>(rule: Rule<Record>): Rule<Record & (Lockable | { inTopic: Lockable })> =>
  (viewer, record) =>
    passesLock(viewer, "inTopic" in record ? record.inTopic : record) && rule(viewer, record);
