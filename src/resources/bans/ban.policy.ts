/** Rights on bans: Moderators ban users below their own level, so nobody bans an Admin, and only Admins ban Moderators. */
import { open, right, type Rights } from "../shared/policy.js";

export const mayBan = right<{ level: number }>({
  minimum: "moderator",
  also: ({ level }, viewer) => (viewer.level > level ? null : "nobody"),
  note: "Only users below your own level.",
});

export const banRights: Rights = {
  reads: { ban: open, bans: open },
  writes: { banUser: mayBan, unbanUser: mayBan },
};
