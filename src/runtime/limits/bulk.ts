/**
 * Hourly limits of rows, of which a single edit may write thousands. A new tag is a permanent row with a trigram index entry for every three letters
 * of its name; a post that is added to a pool, or removed, is written with all of its indexes, or, of a thousand at once,
 * in those of `post_counts`.
 */
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { failure } from "../../errors.js";
import { ACTIONS } from "./actions.js";
import { limitsOf } from "./limiter.js";
import { SKEW_MS } from "./store.js";

type BulkAction = "newTag" | "pooledPost";

const HOUR_MS = 3_600_000;
/** Number of rows of an ordinary edit, which are not counted: `POST_EDITS_PER_HOUR` and the like limit them. */
const FEW = 20;

/** A key of an hour that has begun, with its rows so far. */
interface Used {
  key: string;
  points: number;
  /** milliseconds until the hour ends */
  wait: number;
}

/**
 * Counts rows that an edit is about to write, if there are more than a few, in its transaction: if it fails or is refused, they don't count.
 * Counted in the database whatever `LIMITS_STORE`, since only the transaction knows their number.
 * @throws BoardError 421 over the hourly limit of the viewer, or of all new accounts at the address
 */
export async function countRows(
  db: Db,
  config: Config,
  { viewer, address }: RequestContext,
  action: BulkAction,
  count: number,
): Promise<void> {
  if (count <= FEW) return;
  const limits = limitsOf(config, action, viewer, address);
  if (limits.length === 0) return;
  const keyIn = ({ key }: { key: string }) => `${action}:${key}`;
  const used = await add(db, limits.map(keyIn), count);
  for (const { key, points, wait } of used) {
    const exceeded = limits.find((each) => keyIn(each) === key && points > each.limit);
    if (!exceeded) continue;
    const { limit, refusal } = exceeded;
    const retryAfter = Math.max(1, Math.ceil(wait / 1000));
    throw failure(refusal, { limit, actions: ACTIONS[action].name }, { retryAfter });
  }
}

/** The rows stay locked until the transaction ends, so that concurrent edits of a user can't exceed the limit together. */
function add(db: Db, keys: readonly string[], count: number): Promise<Used[]> {
  const now = Date.now();
  const isRunning = sql`kept.expire > ${BigInt(now)} AND kept.expire <= ${BigInt(now + HOUR_MS + SKEW_MS)}`;
  return db.query<Used>(sql`
    INSERT INTO rate_limits AS kept (key, points, expire)
    SELECT key, ${count}::int, ${BigInt(now + HOUR_MS)}::bigint FROM unnest(${[...keys]}::text[]) AS key ORDER BY key
        ON CONFLICT (key) DO UPDATE
       SET points = EXCLUDED.points + CASE WHEN ${isRunning} THEN kept.points ELSE 0 END,
           expire = CASE WHEN ${isRunning} THEN kept.expire ELSE EXCLUDED.expire END
    RETURNING key, points, (expire - ${BigInt(now)})::float8 AS wait`);
}
