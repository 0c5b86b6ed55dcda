/**
 * History, the same for notes, artists, pools, wiki pages and commentaries: every edit that changes something is a row with
 * the whole state after it, numbered from 1 without gaps, written in the transaction of the edit, under the record's lock.
 */
import { isSignedIn } from "../../runtime/auth/viewer.js";
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import { failure } from "../../errors.js";

/** The part of a Prisma delegate that versions need. */
interface VersionTable {
  findFirst(args: {
    where: Record<string, unknown>;
    orderBy: { version: "desc" };
  }): Promise<{ id: number; version: number; updaterId: number; updatedAt: Date } | null>;
  create(args: { data: never }): Promise<unknown>;
  update(args: { where: { id: number }; data: never }): Promise<unknown>;
}

export interface Edit<State extends object> {
  /** the record, as the version table names it: `{ noteId: 3 }` */
  owner: Record<string, number>;
  /** null for a record that was just made */
  before: State | null;
  after: State;
  /** further columns that say what changed; computed from the versions before and after */
  changes?: (before: State | null, after: State) => object;
  /** never folded into the version before: deletes, undeletes and reverts */
  isOwnVersion?: boolean;
}

const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether two states differ in any field. */
export const differs = <State extends object>(before: State, after: State): boolean =>
  Object.entries(after).some(([key, value]) => !equal((before as Record<string, unknown>)[key], value));

/**
 * Writes the version of an edit.
 * @param table the delegate of the version table (`db.noteVersion`)
 * @returns whether anything changed
 */
export async function recordVersion<State extends object>(
  table: unknown,
  context: RequestContext,
  config: Config,
  edit: Edit<State>,
): Promise<boolean> {
  const { owner, before, after } = edit;
  if (before && !differs(before, after)) return false;
  if (!isSignedIn(context.viewer)) throw failure("login_required");
  const versions = table as VersionTable;
  const last = await versions.findFirst({ where: owner, orderBy: { version: "desc" } });
  const mayMerge = config.VERSION_MERGE_MINUTES > 0 && !edit.isOwnVersion && last?.updaterId === context.viewer.id;
  if (mayMerge && last && isRecent(last.updatedAt, config.VERSION_MERGE_MINUTES)) {
    const where = { ...owner, version: { lt: last.version } };
    const prior = (await versions.findFirst({ where, orderBy: { version: "desc" } })) as State | null;
    await versions.update({ where: { id: last.id }, data: { ...after, ...edit.changes?.(prior, after) } as never });
    return true;
  }
  const row = {
    ...after,
    ...edit.changes?.(before, after),
    ...owner,
    updaterId: context.viewer.id,
    updaterIp: context.address,
  };
  await versions.create({ data: { ...row, version: (last?.version ?? 0) + 1 } as never });
  return true;
}

const isRecent = (time: Date, minutes: number): boolean => Date.now() - time.getTime() < minutes * 60_000;
