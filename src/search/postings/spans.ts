/**
 * Upload times of each block of ids (`post_spans`). Triggers widen the spans; those of older posts
 * are filled in here, block by block, the first block last, which tells readers that all are complete.
 */
import { type Executor, sql } from "../../database/client.js";
import { BLOCK, BLOCK_BITS } from "./lists.js";
import type { Transact } from "./maker.js";

/** Fills in missing spans; returns at once if there are none. Can be interrupted and run again. */
export async function fillSpans(transact: Transact, stopping?: AbortSignal): Promise<void> {
  const [state] = await transact((db) =>
    db.query<{ last: number; isFilled: boolean }>(sql`
      SELECT coalesce(max(id), 0) AS last, EXISTS (SELECT FROM post_spans WHERE block = 0) AS "isFilled" FROM posts`),
  );
  if (!state || state.isFilled || state.last === 0) return;
  for (let block = state.last >> BLOCK_BITS; block > 0; block -= 1) {
    if (stopping?.aborted) return;
    await transact((db) => fillSpan(db, block));
  }
  await transact((db) =>
    db.execute(sql`INSERT INTO post_spans VALUES (0, '-infinity', 'infinity') ON CONFLICT (block) DO NOTHING`),
  );
}

const fillSpan = (db: Executor, block: number): Promise<number> =>
  db.execute(sql`
    INSERT INTO post_spans AS kept (block, first, last)
    SELECT ${block}::int, min(created_at), max(created_at) FROM posts
     WHERE id >= ${block * BLOCK}::int AND id <= ${block * BLOCK + BLOCK - 1}::int HAVING count(*) > 0
    ON CONFLICT (block) DO UPDATE SET first = least(kept.first, EXCLUDED.first), last = greatest(kept.last, EXCLUDED.last)`);
