/** Who may do what with comments: the creator with the own ones, Janitors and above with all. */
import { Level } from "../../runtime/auth/levels.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { atLeast, janitor, member, type Rule } from "../shared/policy.js";

interface Comment {
  creatorId: number;
  isDeleted: boolean;
  /** who last edited, deleted or restored it */
  updaterId: number | null;
}

const isOwn = (viewer: Viewer, { creatorId }: Comment): boolean => member(viewer, undefined) && viewer.id === creatorId;

export const mayCreate: Rule<unknown> = member;

/** A deleted comment is no longer its creator's to edit. */
export const mayUpdate: Rule<Comment> = (viewer, comment) =>
  janitor(viewer, undefined) || (isOwn(viewer, comment) && !comment.isDeleted);

export const mayDelete: Rule<Comment> = (viewer, comment) => janitor(viewer, undefined) || isOwn(viewer, comment);

/** Creators take back their own deletion, not that of the staff. */
export const mayUndelete: Rule<Comment> = (viewer, comment) =>
  janitor(viewer, undefined) || (isOwn(viewer, comment) && (!comment.isDeleted || comment.updaterId === viewer.id));

/** Sticky comments are the staff's. */
export const mayMakeSticky: Rule<unknown> = janitor;

export const mayVote: Rule<Comment> = (viewer, comment) => member(viewer, undefined) && !comment.isDeleted;

/** Everything deleted is seen, and found by its words, by the staff. */
export const maySeeDeletedBodies: Rule = (viewer) => janitor(viewer, undefined);

/** The text of a deleted comment is for the staff and its creator. */
export const maySeeBody = (viewer: Viewer, comment: Comment): boolean =>
  !comment.isDeleted || viewer.id === comment.creatorId || maySeeDeletedBodies(viewer);

/** From Gold on, comments are not counted by the hour. */
export const isUnlimited: Rule = (viewer) => atLeast(Level.Gold)(viewer, undefined);
