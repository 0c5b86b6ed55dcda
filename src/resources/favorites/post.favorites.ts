/** Moving and removing all favorites of a post. */
import { type Db, sql } from "../../database/client.js";

/**
 * Moves a post's favorites to another post; users who have both keep one. The order of a user's favorites stays. The transaction
 * has locked both posts.
 * @returns their number
 */
export async function moveFavorites(db: Db, fromId: number, toId: number): Promise<number> {
  const moved = await db.execute(sql`
    UPDATE favorites f SET post_id = ${toId} WHERE f.post_id = ${fromId}
       AND NOT EXISTS (SELECT FROM favorites other WHERE other.post_id = ${toId} AND other.user_id = f.user_id)`);
  const removed = await removeFavorites(db, fromId);
  await db.execute(sql`
    UPDATE posts SET fav_count = (SELECT count(*) FROM favorites WHERE favorites.post_id = posts.id)
     WHERE id IN (${fromId}, ${toId})`);
  return moved + removed;
}

/** Favorites that one statement removes: it updates as many users. */
const REMOVED_AT_ONCE = 5_000;

/** Removes a post's favorites, and updates the users' counters, in the order of the users. @returns their number */
export async function removeFavorites(db: Db, postId: number): Promise<number> {
  for (let removed = 0; ; removed += REMOVED_AT_ONCE) {
    const count = await db.execute(sql`
      WITH gone AS (
        DELETE FROM favorites WHERE id = ANY(ARRAY(
          SELECT id FROM favorites WHERE post_id = ${postId} ORDER BY user_id LIMIT ${REMOVED_AT_ONCE}::int))
        RETURNING user_id
      ), locked AS MATERIALIZED (
        SELECT id FROM users WHERE id IN (SELECT user_id FROM gone) ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE users SET favorite_count = greatest(favorite_count - 1, 0) FROM locked WHERE users.id = locked.id`);
    if (count < REMOVED_AT_ONCE) return removed + count;
  }
}
