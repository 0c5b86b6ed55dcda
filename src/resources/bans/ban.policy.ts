/** Moderators ban those below their own rank: nobody bans an Admin, and only Admins ban Moderators. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import { moderator } from "../shared/policy.js";

export const mayBan = (viewer: Viewer, user: { level: number }): boolean =>
  moderator(viewer, undefined) && viewer.level > user.level;
