/**
 * Rights, of which all policies consist. A right is stated once, as data: from it come the rule used by services and `viewerCan`,
 * the check in front of a root field of the schema, and the rows of docs/permissions.md.
 */
import { isSignedIn, type SignedIn, type Viewer } from "../../runtime/auth/viewer.js";
import { Level, type LevelName, type LevelNumber } from "../../runtime/auth/levels.js";
import { failure } from "../../errors.js";

/** A level and all above it, without banned users; `public` is everybody. */
export type MinimumLevel = Exclude<Lowercase<LevelName>, "anonymous" | "restricted"> | "public";

/** What a record can require in addition to the minimum level; `account`: signed in, banned or not. */
export type Requirement = MinimumLevel | "account" | "nobody";

export interface Permission {
  /** the minimum level, checked before the record is read */
  minimum: MinimumLevel;
  /** the requirement for the viewer's own records, if higher */
  own?: Requirement;
  /** the requirement for others' records, if higher */
  others?: Requirement;
  /** a note on further conditions: locks, states, single attributes */
  note?: string;
}

export type Rule<Record = void> = (viewer: Viewer, record: Record) => boolean;

/** A rule, and its row in the table of permissions. */
export interface Right<Record> {
  (viewer: Viewer, record: Record): boolean;
  readonly permission: Permission;
}

/** A right that is the same for all records. */
export interface PlainRight {
  (viewer: Viewer, record?: unknown): boolean;
  readonly permission: Permission;
}

/** The rights of a resource, by the fields of the schema. */
export interface Rights {
  /** fields of the root type Query */
  reads?: RightsByName;
  /** fields of the root type Mutation */
  writes?: RightsByName;
  /** fields of the root type Subscription */
  subscriptions?: RightsByName;
  /** restricted types, whose records don't exist for others, and restricted fields, which are empty for others */
  fields?: RightsByName;
}
type RightsByName = Readonly<Record<string, Right<never>>>;

const LEVELS = new Map<string, LevelNumber>(Object.entries(Level).map(([name, level]) => [name.toLowerCase(), level]));

export function meets(viewer: Viewer, requirement: Requirement): boolean {
  if (requirement === "public") return true;
  if (requirement === "nobody" || !isSignedIn(viewer)) return false;
  return requirement === "account" || (!viewer.isBanned && viewer.level >= (LEVELS.get(requirement) ?? Infinity));
}

/** A right that depends only on the level. */
export const from = (minimum: MinimumLevel, note?: string): PlainRight =>
  Object.assign((viewer: Viewer) => meets(viewer, minimum), {
    permission: note === undefined ? { minimum } : { minimum, note },
  });

interface Stated<Record> extends Permission {
  /** the owner of the record, for `own` and `others` */
  owner?: (record: Record) => number | null;
  /** the records that are restricted; with all others everybody may do it */
  onlyIf?: (record: Record) => boolean;
  /** a further requirement by the record's state; null for none */
  also?: (record: Record, viewer: Viewer) => Requirement | null;
}

/** A right that depends on the record. */
export function right<Record>({ owner, onlyIf, also, ...permission }: Stated<Record>): Right<Record> {
  const { minimum, own, others } = permission;
  const allows = (viewer: Viewer, record: Record): boolean => {
    if (onlyIf && !onlyIf(record)) return true;
    const byOwner = owner && (owner(record) === viewer.id ? own : others);
    const byState = also?.(record, viewer);
    return meets(viewer, minimum) && (!byOwner || meets(viewer, byOwner)) && (!byState || meets(viewer, byState));
  };
  return Object.assign(allows, { permission });
}

/** A right with a rule of its own. */
export const described = <Record>(permission: Permission, allows: Rule<Record>): Right<Record> =>
  Object.assign((viewer: Viewer, record: Record) => allows(viewer, record), { permission });

/** The same right with another note. */
export const withNote = <Record>(of: Right<Record>, note: string): Right<Record> =>
  described({ ...of.permission, note }, of);

export const open = from("public");
export const member = from("member");
export const gold = from("gold");
export const builder = from("builder");
export const janitor = from("janitor");
export const moderator = from("moderator");
export const admin = from("admin");

/**
 * Throws unless a policy allowed it.
 * @throws BoardError 403, whose reason asks visitors to log in, and informs banned users of their ban
 */
export function authorize(viewer: Viewer, allowed: boolean): void {
  if (allowed) return;
  if (!isSignedIn(viewer)) throw failure("login_required");
  throw failure(viewer.isBanned ? "banned" : "access_denied");
}

/** The viewer as a signed-in user, banned or not. @throws BoardError 403 for a visitor */
export function requireAccount(viewer: Viewer): SignedIn {
  authorize(viewer, isSignedIn(viewer));
  return viewer as SignedIn;
}

/** The viewer as a signed-in user of at least this level. @throws BoardError 403 */
export function requireLevel(viewer: Viewer, minimum: Exclude<MinimumLevel, "public"> = "member"): SignedIn {
  authorize(viewer, meets(viewer, minimum));
  return viewer as SignedIn;
}

/** The viewer as a signed-in user with a right that visitors don't have. @throws BoardError 403 */
export function requireRight(viewer: Viewer, allows: PlainRight): SignedIn {
  authorize(viewer, allows(viewer));
  return requireAccount(viewer);
}
