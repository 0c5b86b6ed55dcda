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

/** Removes a post's favorites, and updates the users' counters. @returns their number */
export function removeFavorites(db: Db, postId: number): Promise<number> {
  return db.execute(sql`
    WITH gone AS (DELETE FROM favorites WHERE post_id = ${postId} RETURNING user_id),
    locked AS MATERIALIZED (
      SELECT id FROM users WHERE id IN (SELECT user_id FROM gone) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE users SET favorite_count = greatest(favorite_count - 1, 0) FROM locked WHERE users.id = locked.id`);
}
