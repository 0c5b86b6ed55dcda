/** The generator of benchmark boards: 500 posts, with all counters recounted. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FilledError, generateBoard, type GeneratedBoard, type GenerateOptions } from "../../bench/generate.js";
import { BUMPING_COMMENTS, refreshCommentTimes } from "../../src/resources/comments/comment.records.js";
import { refreshNotedAt } from "../../src/resources/notes/note.service.js";
import { verifyRows } from "../../src/operations/verify/verify.js";
import { connect, createDatabase, type TestDatabase } from "../support/database.js";

const BOARD = { posts: 500, seed: 7, until: new Date("2026-03-01T12:00:00Z") };

let database: TestDatabase;
let client: pg.Client;
let made: GeneratedBoard;
let before: string[];

async function column<T>(statement: string): Promise<T[]> {
  const { rows } = await client.query<{ value: T }>(statement);
  return rows.map((row) => row.value);
}

/** The one value of a statement. */
async function value<T>(statement: string): Promise<T | undefined> {
  return (await column<T>(statement))[0];
}

/** What is found of each table that has been filled. */
async function ofEachTable<T>(find: (table: string) => Promise<T>): Promise<Record<string, T>> {
  const found: Record<string, T> = {};
  for (const table of Object.keys(made.rows)) found[table] = await find(table);
  return found;
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
  made = await generateBoard(database.url, BOARD);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe("a generated board of 500 posts", () => {
  it("reports its contents", async () => {
    const rows = await ofEachTable((table) => value(`SELECT count(*)::int AS value FROM ${table}`));
    expect(rows).toEqual(made.rows);
    expect(made).toMatchObject({
      posts: 500,
      users: 224,
      until: "2026-03-01T12:00:00.000Z",
      rows: { posts: 500, media_files: 500, post_versions: 500, tags: made.tags, users: 224 },
    });
    expect(made.tagsPerPost).toBeGreaterThan(25);
    expect(made.tagsPerPost).toBeLessThan(33);
  });

  it("is analyzed, with all rows marked as visible", async () => {
    const tables = `relname = ANY('{${Object.keys(made.rows).join(",")}}')`;
    const unknown = await column(`SELECT relname AS value FROM pg_class WHERE ${tables} AND reltuples <= 0`);
    const hidden = await column(`SELECT relname AS value FROM pg_class WHERE ${tables} AND relallvisible < relpages`);
    expect([unknown, hidden]).toEqual([[], []]);
  });

  it("has rows of every kind", () => {
    expect(Object.entries(made.rows).filter(([, rows]) => rows === 0)).toEqual([]);
    expect(made.rows.favorites).toBeGreaterThan(2 * 500);
    expect(made.rows.comments).toBeGreaterThan(0.25 * 500);
    expect(made.rows.comments).toBeLessThan(500);
  });

  it("passes `board verify`", async () => {
    expect(await verifyRows(database.url)).toEqual([]);
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

  it("sets the child flags of parents", async () => {
    const wrong = await column(
      `SELECT id AS value FROM posts p
        WHERE has_children <> EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id)
           OR has_active_children <> EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id AND NOT c.is_deleted)`,
    );
    const children = await value<number>(`SELECT count(*)::int AS value FROM posts WHERE parent_id IS NOT NULL`);
    expect([wrong, (children ?? 0) > 10]).toEqual([[], true]);
  });

  it("counts uploads, edits, notes and favorites of every user", async () => {
    const wrong = await column(
      `SELECT name AS value FROM users u
        WHERE post_upload_count <> (SELECT count(*) FROM posts WHERE uploader_id = u.id)
           OR post_update_count <> (SELECT count(*) FROM post_versions WHERE updater_id = u.id)
           OR note_update_count <> (SELECT count(*) FROM note_versions WHERE updater_id = u.id)
           OR favorite_count <> (SELECT count(*) FROM favorites WHERE user_id = u.id)`,
    );
    expect(wrong).toEqual([]);
  });

  it("counts favorites and votes of every post, and votes on every comment", async () => {
    const posts = await column(
      `SELECT id AS value FROM posts p
        WHERE fav_count <> (SELECT count(*) FROM favorites WHERE post_id = p.id)
           OR up_score <> (SELECT count(*) FROM post_votes WHERE post_id = p.id AND score = 1)
           OR down_score <> (SELECT -count(*) FROM post_votes WHERE post_id = p.id AND score = -1)`,
    );
    const comments = await column(
      `SELECT id AS value FROM comments c
        WHERE score <> (SELECT coalesce(sum(score), 0) FROM comment_votes WHERE comment_id = c.id)`,
    );
    expect([posts, comments]).toEqual([[], []]);
  });

  it("gives posts the same times of comments and notes as the board itself", async () => {
    const times = `SELECT (id, last_commented_at, last_comment_bumped_at, last_noted_at)::text AS value FROM posts ORDER BY id`;
    const generated = await column(times);
    await using connection = await connect(database.url);
    for (let id = 1; id <= 500; id += 1) {
      await refreshCommentTimes(connection.database, id);
      await refreshNotedAt(connection.database, id);
    }
    expect(generated).toEqual(await column(times));
  });

  it("leaves most posts without comments, and has one with so many that the last ones no longer bump it", async () => {
    const silent = await value<number>(`SELECT count(*)::int AS value FROM posts WHERE last_commented_at IS NULL`);
    const most = await value<number>(
      `SELECT count(*)::int AS value FROM comments GROUP BY post_id ORDER BY value DESC LIMIT 1`,
    );
    expect(silent).toBeGreaterThan(300);
    expect(most).toBeGreaterThan(BUMPING_COMMENTS);
  });

  it("has one version for each post, with everything that an upload sets", async () => {
    const wrong = await column(
      `SELECT p.id AS value FROM posts p LEFT JOIN post_versions v ON v.post_id = p.id
        WHERE (v.version, v.updater_id, v.tag_ids, v.added_tag_ids, v.rating, v.parent_id, v.source, v.media_file_id)
          IS DISTINCT FROM (1, p.uploader_id, p.tag_ids, p.tag_ids, p.rating, p.parent_id, p.source, p.media_file_id)`,
    );
    expect(wrong).toEqual([]);
  });

  it("has versions whose last state is that of the notes and pools", async () => {
    const notes = await column(
      `SELECT n.id AS value FROM notes n LEFT JOIN note_versions v ON v.note_id = n.id AND v.version = n.version
        WHERE (v.post_id, v.x, v.y, v.width, v.height, v.body, v.is_active, v.updated_at)
          IS DISTINCT FROM (n.post_id, n.x, n.y, n.width, n.height, n.body, n.is_active, n.updated_at)
           OR n.version <> (SELECT count(*) FROM note_versions WHERE note_id = n.id)`,
    );
    const pools = await column(
      `SELECT p.id AS value FROM pools p LEFT JOIN pool_versions v ON v.pool_id = p.id
        WHERE (v.version, v.post_ids, v.added_post_ids, v.name, v.description, v.category, v.is_active, v.is_deleted)
          IS DISTINCT FROM (1, p.post_ids, p.post_ids, p.name, p.description, p.category, p.is_active, p.is_deleted)`,
    );
    expect([notes, pools]).toEqual([[], []]);
  });

  it("has notes within the pictures, and existing posts in pools", async () => {
    const outside = await column(
      `SELECT n.id AS value FROM note_versions n JOIN posts p ON p.id = n.post_id
        WHERE n.x + n.width > p.image_width OR n.y + n.height > p.image_height`,
    );
    const unknown = await column(
      `SELECT id AS value FROM pools WHERE EXISTS (
         SELECT FROM unnest(post_ids) AS member WHERE NOT EXISTS (SELECT FROM posts WHERE posts.id = member))`,
    );
    expect([outside, unknown]).toEqual([[], []]);
  });

  it("has tags on most posts, and rare ones", async () => {
    const common = await value<number>(`SELECT post_count AS value FROM tags WHERE name = 'one_person'`);
    const rare = await value<number>(`SELECT count(*)::int AS value FROM tags WHERE post_count = 1`);
    expect(common).toBeGreaterThan(250);
    expect(common).toBeLessThan(350);
    expect(rare).toBeGreaterThan(50);
  });

  it.each([
    ["long_hair", "short_hair"],
    ["standing", "sitting"],
    ["outdoors", "indoors"],
    ["day", "night"],
    ["one_person", "no_people"],
  ])("has %s and %s on many posts, but never on the same", async (one, other) => {
    const [rarer] = await column<number>(
      `SELECT min(post_count) AS value FROM tags WHERE name IN ('${one}', '${other}')`,
    );
    const both = await value<number>(
      `SELECT count(*)::int AS value FROM posts
        WHERE tag_ids @> (SELECT array_agg(id) FROM tags WHERE name IN ('${one}', '${other}'))`,
    );
    expect(rarer).toBeGreaterThan(25);
    expect(both).toBe(0);
  });

  it("has tags that went out of use after the oldest tenth", async () => {
    const [first, last] = await column<number>(
      `SELECT unnest(ARRAY[min(p.id), max(p.id)]) AS value FROM posts p JOIN tags t ON t.id = ANY(p.tag_ids)
        WHERE t.name IN ('scanned', 'dithered')`,
    );
    expect(first).toBeGreaterThan(0);
    expect(last).toBeLessThanOrEqual(50);
  });

  it("has a tenth of the users upload most posts, and others with most favorites", async () => {
    const shareOf = (counter: string) =>
      value<number>(`SELECT sum(${counter}) FILTER (WHERE place <= 22)::float8 / sum(${counter}) AS value
                       FROM (SELECT *, row_number() OVER (ORDER BY ${counter} DESC) AS place FROM users) ranked`);
    const busiest = (counter: string) =>
      value<number>(`SELECT id AS value FROM users ORDER BY ${counter} DESC LIMIT 1`);
    expect(await shareOf("post_upload_count")).toBeGreaterThan(0.4);
    expect(await shareOf("favorite_count")).toBeGreaterThan(0.2);
    expect(await busiest("post_upload_count")).not.toBe(await busiest("favorite_count"));
  });

  it("ends with the upload of the last post at the given time", async () => {
    const last = await value<Date>(`SELECT created_at AS value FROM posts ORDER BY id DESC LIMIT 1`);
    const latest = await ofEachTable((table) =>
      value<string>(
        `SELECT max(coalesce(to_jsonb(t) ->> 'updated_at', to_jsonb(t) ->> 'created_at')) AS value FROM ${table} t`,
      ),
    );
    expect(last).toEqual(BOARD.until);
    const later = Object.values(latest).filter((time) => new Date(time ?? 0) > BOARD.until);
    expect(later).toEqual([]);
  });

  it.each(["posts", "favorites", "comments", "notes"])("numbers %s chronologically", async (table) => {
    const wrong = await column(
      `SELECT id AS value FROM (SELECT id, created_at, lag(created_at) OVER (ORDER BY id) AS before FROM ${table}) t
        WHERE created_at < before`,
    );
    expect(wrong).toEqual([]);
  });

  it("keeps every index and constraint, and continues ids after its own", async () => {
    expect(await indexesAndKeys()).toEqual(before);
    const skipped = await ofEachTable((table) =>
      value<number>(
        `SELECT nextval(pg_get_serial_sequence('${table}', 'id'))::int - max(id) - 1 AS value FROM ${table}`,
      ),
    );
    expect(Object.values(skipped).filter((count) => count !== 0)).toEqual([]);
  });

  it("is the same for the same seed and time, and different for another seed", async () => {
    const own = await digestsOf(client, made);
    expect(await digestsOfAnother(BOARD)).toEqual(own);
    const others = await digestsOfAnother({ ...BOARD, seed: 8 });
    expect(Object.keys(own).filter((table) => others[table] === own[table])).toEqual([]);
  });

  it("has the same posts, files, tags and pools with --contents searches", async () => {
    const own = await digestsOf(client, made);
    const searched = await digestsOfAnother({ ...BOARD, contents: "searches" });
    expect(Object.keys(searched).sort()).toEqual(["favorites", "media_files", "pools", "posts", "tags", "users"]);
    const { posts, media_files, tags, pools } = searched;
    expect({ posts, media_files, tags, pools }).toEqual({
      posts: own.posts,
      media_files: own.media_files,
      tags: own.tags,
      pools: own.pools,
    });
  });

  it("refuses a board with posts", async () => {
    await expect(generateBoard(database.url, { posts: 10 })).rejects.toThrow(FilledError);
    expect(await column(`SELECT count(*)::int AS value FROM posts`)).toEqual([500]);
  });
});

type Digests = Record<string, string | undefined>;

/** Without the revisions of posts, which any write raises. */
async function digestsOf(connection: pg.Client, board: GeneratedBoard): Promise<Digests> {
  const digests: Digests = {};
  for (const table of Object.keys(board.rows)) {
    const { rows } = await connection.query<{ digest: string }>(
      `SELECT md5(string_agg((to_jsonb(t) - 'revision')::text, '|' ORDER BY id)) AS digest FROM ${table} t`,
    );
    digests[table] = rows[0]?.digest;
  }
  return digests;
}

async function digestsOfAnother(options: GenerateOptions): Promise<Digests> {
  const other = await createDatabase();
  const connection = new pg.Client({ connectionString: other.url });
  try {
    const board = await generateBoard(other.url, options);
    await connection.connect();
    return await digestsOf(connection, board);
  } finally {
    await connection.end();
    await other.drop();
  }
}
