/** Who may do what with artists: members write them, Builders take them away and bring them back, Admins ban them. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import { admin, builder, member, type Rule } from "../shared/policy.js";

interface Banned {
  isBanned: boolean;
}

export const mayCreate: Rule<unknown> = member;
export const mayUpdate: Rule<unknown> = member;
export const mayRevert: Rule<unknown> = member;
export const mayDelete: Rule<unknown> = builder;
export const mayBan: Rule<unknown> = admin;

/** The ban of an artist hangs on the name. */
export const mayRename = (viewer: Viewer, artist: Banned): boolean =>
  artist.isBanned ? admin(viewer, undefined) : member(viewer, undefined);

/** Whether the attribute is heeded in an edit. */
export const maySetActive: Rule<unknown> = builder;
