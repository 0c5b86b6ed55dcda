/** Who may do what with posts. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import type { Lock } from "../../tagging/tag-string.js";
import { admin, builder, gold, janitor, member, type Rule } from "../shared/policy.js";

interface Banned {
  isBanned: boolean;
}
interface Uploaded {
  uploaderId: number;
}

/** The files of banned posts are for Gold and above; the posts themselves stay listed for everybody. */
export const maySeeFile = (viewer: Viewer, post: Banned): boolean => !post.isBanned || gold(viewer, undefined);

export const mayUpdate = (viewer: Viewer, post: Banned): boolean =>
  member(viewer, undefined) && maySeeFile(viewer, post);

export const mayVote = mayUpdate;

/** Rating and notes are locked by Builders, the status by Admins. */
export const mayLock = (viewer: Viewer, lock: Lock): boolean =>
  lock === "status" ? admin(viewer, undefined) : builder(viewer, undefined);

/** A new source URL brings a new file only by the hand of the uploader or of a Builder. */
export const mayReplaceFile = (viewer: Viewer, post: Uploaded): boolean =>
  builder(viewer, undefined) || (member(viewer, undefined) && viewer.id === post.uploaderId);

export const mayFlag: Rule<unknown> = member;
export const mayAppeal: Rule<unknown> = member;

/** Nobody passes their own uploads. */
export const mayApprove = (viewer: Viewer, post: Uploaded): boolean =>
  janitor(viewer, undefined) && viewer.id !== post.uploaderId;

export const mayDelete: Rule<unknown> = janitor;

/** Only Admins bring their own uploads back. */
export const mayUndelete = (viewer: Viewer, post: Uploaded): boolean =>
  admin(viewer, undefined) || mayApprove(viewer, post);

export const mayBan: Rule<unknown> = janitor;
export const mayMoveFavorites: Rule<unknown> = janitor;
export const mayExpunge: Rule<unknown> = admin;
