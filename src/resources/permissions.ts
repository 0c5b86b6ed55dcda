/**
 * All rights as one table: those of all policies, each under its field of the schema. The checks in
 * front of root fields and docs/permissions.md are derived from it, and a test checks all of it over HTTP.
 */
import { Level } from "../runtime/auth/levels.js";
import { ANONYMOUS, type Viewer } from "../runtime/auth/viewer.js";
import { RIGHTS } from "./registry.js";
import { type Requirement, type MinimumLevel, meets, type Permission, type Rights } from "./shared/policy.js";

export type { Requirement, MinimumLevel, Permission };

/** Rights of one kind of all resources, by name. */
function tableOf(kind: keyof Rights): Readonly<Record<string, Permission>> {
  const rows = RIGHTS.flatMap((rights) => Object.entries(rights[kind] ?? {}));
  const sorted = rows.sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, { permission }]) => [name, permission]));
}

export const READS = tableOf("reads");
export const WRITES = tableOf("writes");
export const SUBSCRIPTIONS = tableOf("subscriptions");
/** Fields and records that not every viewer may see. */
export const FIELDS = tableOf("fields");

/** The kinds of viewers, in the order of their rights. */
const VIEWERS = {
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

/** The right to an operation. @throws Error if no policy has it */
export function minimumOf(operation: string): MinimumLevel {
  const permission = READS[operation] ?? WRITES[operation] ?? SUBSCRIPTIONS[operation];
  if (!permission) throw new Error(`no policy in src/resources says who may do ${operation}`);
  return permission.minimum;
}

/** Whether a viewer may call an operation at all. */
export const mayCall = (operation: string): ((viewer: Viewer) => boolean) => {
  const minimum = minimumOf(operation);
  return (viewer) => meets(viewer, minimum);
};
