/**
 * Who may do what, as one table: the rights of all policies, each under the field of the schema that it is about. It makes the checks in
 * front of root fields and docs/permissions.md, and a test walks it over HTTP.
 */
import { Level } from "../runtime/auth/levels.js";
import { ANONYMOUS, type Viewer } from "../runtime/auth/viewer.js";
import { RIGHTS } from "./registry.js";
import { type Demand, type Gate, meets, type Permission, type Rights } from "./shared/policy.js";

export type { Demand, Gate, Permission };

type Table = Readonly<Record<string, Permission>>;

/** One kind of rights of all resources, by name. */
function tableOf(kind: keyof Rights): Table {
  const rows = RIGHTS.flatMap((rights) => Object.entries(rights[kind] ?? {}));
  const sorted = rows.sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, { permission }]) => [name, permission]));
}

export const READS = tableOf("reads");
export const WRITES = tableOf("writes");
export const SUBSCRIPTIONS = tableOf("subscriptions");
/** Fields and records that not every reader may see. */
export const FIELDS = tableOf("fields");

/** The kinds of viewers, in the order of their rights, each with one of them. */
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

/** Whether the table allows it on a record that is the viewer's own, or somebody else's. */
export function permits({ gate, own, others }: Permission, role: Role, isOwn: boolean): boolean {
  const demand = isOwn ? own : others;
  return meets(VIEWERS[role], gate) && (demand === undefined || meets(VIEWERS[role], demand));
}

/** The front gate of an operation. @throws Error for one that no policy mentions */
export function gateOf(operation: string): Gate {
  const permission = READS[operation] ?? WRITES[operation] ?? SUBSCRIPTIONS[operation];
  if (!permission) throw new Error(`no policy in src/resources says who may do ${operation}`);
  return permission.gate;
}

/** Whether a viewer passes the front gate of an operation. */
export const mayCall = (operation: string): ((viewer: Viewer) => boolean) => {
  const gate = gateOf(operation);
  return (viewer) => meets(viewer, gate);
};
