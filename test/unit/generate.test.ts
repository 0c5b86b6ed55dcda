/** The generator of boards for measuring: 500 posts, and everything that they claim counted again. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FilledError, generateBoard, type GeneratedBoard } from "../../bench/generate.js";
import { createDatabase, type TestDatabase } from "../support/database.js";

let database: TestDatabase;
let client: pg.Client;
let made: GeneratedBoard;
let before: string[];

async function column<T>(statement: string): Promise<T[]> {
  const { rows } = await client.query<{ value: T }>(statement);
  return rows.map((row) => row.value);
}

const indexesAndKeys = (): Promise<string[]> =>
  column(`SELECT pg_get_indexdef(indexrelid) AS value FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
           WHERE c.relnamespace = 'public'::regnamespace
          UNION SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
           WHERE connamespace = 'public'::regnamespace ORDER BY value`);

beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  before = await indexesAndKeys();
  made = await generateBoard(database.url, { posts: 500, seed: 7 });
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe("a generated board of 500 posts", () => {
  it("says what it has", async () => {
    const counts = await column<number>(
      `SELECT count(*)::int AS value FROM posts UNION ALL SELECT count(*)::int FROM tags
       UNION ALL SELECT count(*)::int FROM users UNION ALL SELECT count(*)::int FROM media_files
       UNION ALL SELECT count(*)::int FROM post_versions`,
    );
    expect(counts).toEqual([500, made.tags, made.users, 500, 500]);
    expect(made.tagsPerPost).toBeGreaterThan(25);
    expect(made.tagsPerPost).toBeLessThan(33);
  });

  it("counts the posts of every tag", async () => {
    const wrong = await column(
      `SELECT name AS value FROM tags WHERE post_count <> (SELECT count(*) FROM posts WHERE tags.id = ANY(tag_ids))`,
    );
    expect(wrong).toEqual([]);
  });

  it("counts the tags of every post by category", async () => {
    const wrong = await column(
      `SELECT p.id AS value FROM posts p, LATERAL (
         SELECT count(*) FILTER (WHERE category = 0) AS general, count(*) FILTER (WHERE category = 1) AS artist,
           count(*) FILTER (WHERE category = 3) AS copyright, count(*) FILTER (WHERE category = 4) AS character,
           count(*) FILTER (WHERE category = 5) AS meta FROM tags WHERE tags.id = ANY(p.tag_ids)) n
        WHERE (tag_count_general, tag_count_artist, tag_count_copyright, tag_count_character, tag_count_meta)
          IS DISTINCT FROM (n.general, n.artist, n.copyright, n.character, n.meta)`,
    );
    expect(wrong).toEqual([]);
  });

  it("tells parents of their children", async () => {
    const wrong = await column(
      `SELECT id AS value FROM posts p
        WHERE has_children <> EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id)
           OR has_active_children <> EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id AND NOT c.is_deleted)`,
    );
    const children = await column<number>(`SELECT count(*)::int AS value FROM posts WHERE parent_id IS NOT NULL`);
    expect([wrong, (children[0] ?? 0) > 10]).toEqual([[], true]);
  });

  it("counts the uploads of every user", async () => {
    const wrong = await column(
      `SELECT name AS value FROM users u
        WHERE post_upload_count <> (SELECT count(*) FROM posts WHERE uploader_id = u.id)
           OR post_update_count <> (SELECT count(*) FROM post_versions WHERE updater_id = u.id)`,
    );
    expect(wrong).toEqual([]);
  });

  it("has one version for each post, with all that an upload sets", async () => {
    const wrong = await column(
      `SELECT p.id AS value FROM posts p LEFT JOIN post_versions v ON v.post_id = p.id
        WHERE (v.version, v.updater_id, v.tag_ids, v.added_tag_ids, v.rating, v.parent_id, v.source, v.media_file_id)
          IS DISTINCT FROM (1, p.uploader_id, p.tag_ids, p.tag_ids, p.rating, p.parent_id, p.source, p.media_file_id)`,
    );
    expect(wrong).toEqual([]);
  });

  it("has tags on most posts, rare ones, and pairs that never meet", async () => {
    const [common] = await column<number>(`SELECT post_count AS value FROM tags WHERE name = 'one_person'`);
    const [rare] = await column<number>(`SELECT count(*)::int AS value FROM tags WHERE post_count = 1`);
    const [both] = await column<number>(
      `SELECT count(*)::int AS value FROM posts
        WHERE tag_ids @> (SELECT array_agg(id) FROM tags WHERE name IN ('long_hair', 'short_hair'))`,
    );
    expect(common).toBeGreaterThan(250);
    expect(common).toBeLessThan(350);
    expect(rare).toBeGreaterThan(50);
    expect(both).toBe(0);
  });

  it("keeps every index and constraint, and numbers further records after its own", async () => {
    expect(await indexesAndKeys()).toEqual(before);
    expect(await column(`SELECT nextval(pg_get_serial_sequence('posts', 'id'))::int AS value`)).toEqual([501]);
  });

  it("is the same for the same seed", async () => {
    const digest = `SELECT md5(string_agg(p::text, '|' ORDER BY id)) AS value FROM posts p`;
    await using other = await secondDatabase();
    await generateBoard(other.url, { posts: 500, seed: 7 });
    const second = new pg.Client({ connectionString: other.url });
    await second.connect();
    const { rows } = await second.query<{ value: string }>(digest);
    await second.end();
    expect(rows[0]?.value).toBe((await column<string>(digest))[0]);
  });

  it("is not mixed with posts that are there", async () => {
    await expect(generateBoard(database.url, { posts: 10 })).rejects.toThrow(FilledError);
    expect(await column(`SELECT count(*)::int AS value FROM posts`)).toEqual([500]);
  });
});

async function secondDatabase(): Promise<TestDatabase & AsyncDisposable> {
  const second = await createDatabase();
  return { ...second, [Symbol.asyncDispose]: () => second.drop() };
}
