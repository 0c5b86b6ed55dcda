/** Many posts in one statement, for tests of large lists: uploads would take minutes. */
import { sql } from "../../src/database/client.js";
import type { TestBoard } from "./board.js";

/** Copies a post, with a file of its own each that is stored nowhere; its tags don't count the copies. @returns their ids, ascending */
export async function copyPost(test: TestBoard, id: number, copies: number): Promise<number[]> {
  const rows = await test.board.database.query<{ id: number }>(sql`
    WITH files AS (
      INSERT INTO media_files (md5, file_ext, file_size, image_width, image_height)
      SELECT md5(id || ' ' || n), file_ext, file_size, image_width, image_height
        FROM posts, generate_series(1, ${copies}::int) AS n WHERE id = ${id} RETURNING *)
    INSERT INTO posts (uploader_id, media_file_id, md5, file_ext, file_size, image_width, image_height, rating, tag_ids,
      tag_count, tag_count_general, tag_count_artist, tag_count_meta)
    SELECT m.uploader_id, f.id, f.md5, f.file_ext, f.file_size, f.image_width, f.image_height, m.rating, m.tag_ids,
      m.tag_count, m.tag_count_general, m.tag_count_artist, m.tag_count_meta FROM posts m, files f WHERE m.id = ${id}
    RETURNING id`);
  return rows.map((row) => row.id).sort((a, b) => a - b);
}
