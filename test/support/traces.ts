/** The contents of a board, compared before and after a request that must leave nothing behind. */
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { sql } from "../../src/database/client.js";
import type { TestBoard } from "./board.js";

/** Everything below DATA_DIR/media, the temporary files too, by path. */
export async function filesOf(test: TestBoard): Promise<string[]> {
  const folder = test.board.config.mediaDir;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort();
}

/** Files, numbers of rows, and the sums of the counters. Uploads are apart: a failed one leaves a row. */
export async function tracesOf(test: TestBoard) {
  const [rows] = await test.board.database.query<Record<string, number>>(sql`
    SELECT (SELECT count(*)::int FROM posts) AS posts, (SELECT count(*)::int FROM tags) AS tags,
           (SELECT count(*)::int FROM media_files) AS media, (SELECT count(*)::int FROM post_versions) AS versions,
           (SELECT count(*)::int FROM post_votes) AS votes, (SELECT sum(post_count)::int FROM tags) AS "tagCounts",
           (SELECT sum(post_upload_count)::int FROM users) AS "uploadCounts",
           (SELECT sum(post_update_count)::int FROM users) AS "updateCounts",
           (SELECT max(updated_at)::text FROM posts) AS "lastEdit"`);
  return { files: await filesOf(test), ...rows };
}

/** The compared columns of a user's upload rows, oldest first. */
export const uploadsOf = (test: TestBoard, uploaderId: number) =>
  test.board.database.upload.findMany({
    where: { uploaderId },
    orderBy: { id: "asc" },
    select: { status: true, postId: true },
  });

/** Tags whose `post_count` is wrong. */
export const wrongCounts = (test: TestBoard) =>
  test.board.database.query<object>(sql`
    SELECT name, post_count AS stored, count(posts.id)::int AS counted
      FROM tags LEFT JOIN posts ON posts.tag_ids @> ARRAY[tags.id]
     GROUP BY tags.id HAVING post_count <> count(posts.id)`);

/** Posts whose `tag_count...` columns are wrong. */
export const wrongTagCounts = (test: TestBoard) =>
  test.board.database.query<object>(sql`
    SELECT p.id, p.tag_count, n.* FROM posts p, LATERAL (
      SELECT count(*) AS "all", count(*) FILTER (WHERE category = 0) AS g, count(*) FILTER (WHERE category = 1) AS a,
             count(*) FILTER (WHERE category = 3) AS c, count(*) FILTER (WHERE category = 4) AS h,
             count(*) FILTER (WHERE category = 5) AS m FROM tags WHERE tags.id = ANY(p.tag_ids)) n
     WHERE (p.tag_count, p.tag_count_general, p.tag_count_artist, p.tag_count_copyright, p.tag_count_character,
            p.tag_count_meta) IS DISTINCT FROM (n."all", n.g, n.a, n.c, n.h, n.m)`);

/** Posts whose versions are not numbered 1, 2, 3 ... without gaps. */
export const gappyVersions = (test: TestBoard) =>
  test.board.database.query<object>(sql`
    SELECT post_id, array_agg(version ORDER BY id) AS versions FROM post_versions GROUP BY post_id
    HAVING min(version) <> 1 OR max(version) <> count(*)
        OR array_agg(version ORDER BY id) <> array_agg(version ORDER BY version)`);

/** Deadlocks that PostgreSQL has found in this database; it counts them with a delay of up to a second. */
export async function deadlocksOf(test: TestBoard): Promise<number> {
  await test.board.database.execute(sql`SELECT pg_stat_force_next_flush()`);
  const [row] = await test.board.database.query<{ deadlocks: number }>(sql`
    SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`);
  return row?.deadlocks ?? -1;
}

/** Columns about a user's last request, which every request may change. */
const SEEN = ["last_logged_in_at", "last_forum_read_at", "last_ip"];

/** Tables that a job rewrites every ten minutes, regardless of requests. */
const DERIVED = "^(posting_.*|post_spans)$";

/** Reads rows of the database. */
type AskRows = <T extends object>(statement: string) => Promise<T[]>;

/** A digest of the rows of every table, by the table's name: what is equal before and after a request that changed nothing. */
export async function digestsOf(ask: AskRows): Promise<Record<string, string>> {
  const tables = await ask<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname !~ '${DERIVED}' ORDER BY 1`,
  );
  const digests = tables.map(({ name }) => {
    const row = name === "users" ? `(to_jsonb(t) - '{${SEEN.join()}}'::text[])::text` : "t::text";
    return `SELECT '${name}' AS name, count(*) || ':' || coalesce(sum(hashtextextended(${row}, 0)), 0) AS digest FROM "${name}" t`;
  });
  const rows = await ask<{ name: string; digest: string }>(digests.join(" UNION ALL "));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** The same of a test's board. Prepared: planning a statement of all tables takes longer than running it. */
export const digestOf = ({ board }: TestBoard): Promise<Record<string, string>> =>
  digestsOf(async <T extends object>(text: string) => {
    const name = `digest_${createHash("md5").update(text).digest("hex")}`;
    return (await board.pool.query<T>({ name, text })).rows;
  });
