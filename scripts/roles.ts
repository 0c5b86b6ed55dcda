/** The kinds of viewers, and what the table of permissions allows them. */
import { meets, type Permission } from "../src/resources/shared/policy.js";
import { Level } from "../src/runtime/auth/levels.js";
import { ANONYMOUS, type Viewer } from "../src/runtime/auth/viewer.js";

/** The kinds of viewers, in the order of their rights. */
export const VIEWERS = {
  anonymous: ANONYMOUS,
  banned: { ...viewerOf(Level.Member), isBanned: true },
  member: viewerOf(Level.Member),
  gold: viewerOf(Level.Gold),
  platinum: viewerOf(Level.Platinum),
  builder: viewerOf(Level.Builder),
  contributor: viewerOf(Level.Contributor),
  janitor: viewerOf(Level.Janitor),
  moderator: viewerOf(Level.Moderator),
  admin: viewerOf(Level.Admin),
};
export type Role = keyof typeof VIEWERS;
export const ROLES = Object.keys(VIEWERS) as readonly Role[];

function viewerOf(level: number): Viewer {
  return { ...ANONYMOUS, id: 1, level };
}

/** Whether the table allows an operation on one's own or another user's record. */
export function permits({ minimum, own, others }: Permission, role: Role, isOwn: boolean): boolean {
  const requirement = isOwn ? own : others;
  return meets(VIEWERS[role], minimum) && (requirement === undefined || meets(VIEWERS[role], requirement));
}
