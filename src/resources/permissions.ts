/**
 * All rights as one table: those of all policies, each under its field of the schema. The checks in
 * front of root fields and docs/permissions.md are derived from it, and a test checks all of it over HTTP.
 */
import { ANONYMOUS, type Viewer } from "../runtime/auth/viewer.js";
import { RIGHTS } from "./registry.js";
import { type MinimumLevel, meets, type Permission, type Rights } from "./shared/policy.js";

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

/** The right to an operation. @throws Error if no policy has it */
function permissionOf(operation: string): Permission {
  const permission = READS[operation] ?? WRITES[operation] ?? SUBSCRIPTIONS[operation];
  if (!permission) throw new Error(`no policy in src/resources says who may do ${operation}`);
  return permission;
}

export const minimumOf = (operation: string): MinimumLevel => permissionOf(operation).minimum;

/** Whether visitors may do an operation; some without a minimum level are for accounts only, banned ones too. */
export function isOpenToVisitors(operation: string): boolean {
  const { minimum, others = "public" } = permissionOf(operation);
  return meets(ANONYMOUS, minimum) && meets(ANONYMOUS, others);
}

/** Whether a viewer may call an operation at all. */
export const mayCall = (operation: string): ((viewer: Viewer) => boolean) => {
  const minimum = minimumOf(operation);
  return (viewer) => meets(viewer, minimum);
};
