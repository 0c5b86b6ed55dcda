/** The database itself: migrations and schema agree, and the tables reject what violates the board's rules. */
import { spawnSync } from "node:child_process";
import { Client, type DatabaseError } from "pg";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from "vitest";
import { drift } from "../../scripts/drift.js";
import { migrate, migrationNames, pendingMigrations } from "../../src/database/migrate.js";
import { createDatabase } from "../support/database.js";
import { Folder } from "../support/folder.js";
import { laterMigrations } from "../support/migrations-folder.js";

let database: { url: string; drop(): Promise<void> };
let client: Client;

beforeAll(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** Runs `work` against a database with nothing in it, not even tables. */
async function withEmptyDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const name = `migrations_test_${process.pid}`;
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  try {
    await work(url.href);
  } finally {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function insert(table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  await client.query(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places.join(", ")})`, Object.values(row));
}

/** The constraint (or unique index) by which PostgreSQL refused; null when it did not. */
const refusal = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: DatabaseError) => error.constraint ?? error.message,
  );

const copied = (id: number) => ({
  md5: id.toString(16).padStart(32, "0"),
  file_ext: "png",
  file_size: 100 * id,
  image_width: 1200,
  image_height: 900,
});

describe("migrate", () => {
  it("applies every migration once, even if several processes start together", async () => {
    await withEmptyDatabase(async (url) => {
      expect(await pendingMigrations(url)).toEqual(migrationNames());
      const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
      expect(applied.flat()).toEqual(migrationNames());
      expect(await pendingMigrations(url)).toEqual([]);
      expect(await migrate(url)).toEqual([]);
      expect(await drift(url)).toBe("");
    });
  });

  it("retries an interrupted migration", async () => {
    await withEmptyDatabase(async (url) => {
      await migrate(url);
      const cutOff = new Client({ connectionString: url });
      await cutOff.connect();
      await cutOff.query("DROP SCHEMA public CASCADE");
      await cutOff.query("CREATE SCHEMA public");
      await cutOff.query(`CREATE TABLE _prisma_migrations (
        id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
        migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
        started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`);
      await cutOff.query("INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', 'x', $1)", [
        migrationNames()[0],
      ]);
      await cutOff.end();
      expect(await migrate(url)).toEqual(migrationNames());
    });
  });
});

describe("a later migration", () => {
  it("that is the victim of a deadlock is tried again", async () => {
    await using folder = await Folder.make();
    const script = "LOCK TABLE artists; LOCK TABLE pools; CREATE TABLE later ();";
    const migrations = await laterMigrations(folder, { "20990101000000_later": script });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    other.on("error", () => undefined); // if the test fails
    await client.query(`ALTER DATABASE ${other.database} SET deadlock_timeout = 900`); // of the migration, not of the other
    await other.query("BEGIN; LOCK TABLE pools");
    const applied = migrate(database.url, undefined, migrations);
    const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'pools'::regclass";
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
    await other.query("LOCK TABLE artists");
    await other.query("ROLLBACK");
    expect(await applied).toEqual(["20990101000000_later"]);
    await other.end();
    await client.query("DROP TABLE later; DELETE FROM _prisma_migrations WHERE migration_name LIKE '2099%'");
    await client.query(`ALTER DATABASE ${other.database} RESET deadlock_timeout`);
  });
});

describe("scripts/new-migration.ts", () => {
  const run = (url: string, ...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: url };
    const script = ["--import", "tsx", "scripts/new-migration.ts", ...args];
    return spawnSync(process.execPath, script, { env, encoding: "utf8" });
  };

  it("says in a sentence how it is used, and what its database lacks", async () => {
    const usage = "Usage: DATABASE_URL=postgres://... npx tsx scripts/new-migration.ts name_in_lower_case\n";
    expect(run(database.url, "Add something")).toMatchObject({ status: 1, stdout: "", stderr: usage });
    expect(run("", "add_something")).toMatchObject({ status: 1, stdout: "", stderr: usage });
    await withEmptyDatabase(async (url) => {
      const stderr = `The database still lacks ${migrationNames().join(", ")}.\n`;
      expect(run(url, "add_something")).toMatchObject({ status: 1, stdout: "", stderr });
    });
  });
});

describe("drift", () => {
  it("is nil between the migrations and prisma/schema", async () => {
    expect(await drift(database.url)).toBe("");
  });

  it("is the missing SQL when a table lacks a column", async () => {
    await withEmptyDatabase(async (url) => {
      await migrate(url);
      const other = new Client({ connectionString: url });
      await other.connect();
      await other.query("ALTER TABLE posts DROP COLUMN bit_flags");
      await other.end();
      expect(await drift(url)).toContain('ADD COLUMN     "bit_flags" INTEGER NOT NULL DEFAULT 0');
    });
  });
});

describe("the constraints of the tables", () => {
  const HASH = `$2b$04$${"a".repeat(53)}`;

  // Every test runs in a transaction that ends in a rollback, on top of one user, one post and one tag.
  beforeEach(async () => {
    await client.query("BEGIN");
    await insert("users", { id: 1, name: "alice", password_hash: HASH });
    await insert("users", { id: 2, name: "bob", password_hash: HASH });
    await insert("media_files", file(1));
    await insert("posts", post(1));
    await insert("tags", { id: 1, name: "tree" });
  });
  afterEach(() => client.query("ROLLBACK"));

  const file = (id: number, row = {}) => ({ id, ...copied(id), ...row });
  const post = (id: number, row = {}) => ({
    id,
    uploader_id: 1,
    media_file_id: id,
    ...copied(id),
    rating: "s",
    tag_ids: [1, 2],
    tag_count: 2,
    tag_count_general: 2,
    ...row,
  });

  /** Rows that differ from a good one in one respect, and the constraint that refuses them. */
  const changes: [rule: string, constraint: string, change: Record<string, unknown>][] = [
    ["a score that is not the sum of its halves", "posts_score_check", { up_score: 2, score: 3 }],
    ["a positive down score", "posts_score_check", { down_score: 1, score: 1 }],
    ["a negative number of favorites", "posts_fav_count_check", { fav_count: -1 }],
    ["an unknown rating", "posts_rating_check", { rating: "g" }],
    ["a post that is its own parent", "posts_parent_check", { parent_id: 1 }],
    ["a parent that does not exist", "posts_parent_id_fkey", { parent_id: 99 }],
    ["a source of 1201 characters", "posts_source_check", { source: "x".repeat(1201) }],
    ["unsorted tags", "posts_tag_ids_check", { tag_ids: [2, 1] }],
    ["a tag twice", "posts_tag_ids_check", { tag_ids: [1, 1] }],
    ["null among the tags", "posts_tag_ids_check", { tag_ids: [1, null] }],
    ["a tag count that is not the number of tags", "posts_tag_count_check", { tag_count: 3, tag_count_general: 3 }],
    ["tag counts that do not add up", "posts_tag_count_check", { tag_count_artist: 1 }],
    ["a deleted post in the moderation queue", "posts_state_check", { is_deleted: true, is_pending: true }],
    ["active children of a post without children", "posts_children_check", { has_active_children: true }],
    ["a width that is not the file's", "posts_media_file_fkey", { image_width: 1 }],
  ];
  it.each(changes)("posts: %s", async (_rule, constraint, change) => {
    const sets = Object.keys(change).map((column, index) => `${column} = $${index + 1}`);
    const update = `UPDATE posts SET ${sets.join(", ")} WHERE id = 1`;
    expect(await refusal(client.query(update, Object.values(change)))).toBe(constraint);
  });

  it("posts: no second post of one file", async () => {
    expect(await refusal(insert("posts", { ...post(1), id: 2 }))).toBe("posts_media_file_id_key");
  });

  it("posts follow changes of their file's columns", async () => {
    await client.query("UPDATE media_files SET image_width = 10 WHERE id = 1");
    const { rows } = await client.query("SELECT image_width FROM posts WHERE id = 1");
    expect(rows).toEqual([{ image_width: 10 }]);
  });

  const user = { id: 3, name: "carla", password_hash: HASH };
  const vote = { post_id: 1, user_id: 1 };
  const version = { post_id: 1, version: 1, updater_id: 1, tag_ids: [1], rating: "s" };
  const upload = { uploader_id: 1, rating: "s" };
  const relation = { antecedent_name: "a", consequent_name: "b", creator_id: 1 };
  const flag = { post_id: 1, creator_id: 1, reason: "off topic" };
  const note = { post_id: 1, creator_id: 1, x: 0, y: 0, width: 1, height: 1, body: "hello" };
  const pool = { name: "pool", creator_id: 1 };
  const dmail = { owner_id: 1, from_id: 1, to_id: 2, title: "hello", body: "hello" };

  it.each<[rule: string, table: string, constraint: string, row: Record<string, unknown>]>([
    ["a name in use, in another case", "users", "users_lower_name_key", { ...user, name: "ALICE" }],
    ["a blank in a name", "users", "users_name_check", { ...user, name: "al ice" }],
    ["an unknown level", "users", "users_level_check", { ...user, level: 60 }],
    ["a password in clear", "users", "users_password_hash_check", { ...user, password_hash: "secret" }],
    ["101 records a page", "users", "users_per_page_check", { ...user, per_page: 101 }],
    ["an md5 in capitals", "media_files", "media_files_md5_check", file(2, { md5: "A".repeat(32) })],
    ["an unknown file type", "media_files", "media_files_file_ext_check", file(2, { file_ext: "exe" })],
    ["an empty file", "media_files", "media_files_sizes_check", file(2, { file_size: 0 })],
    ["a vote of zero", "post_votes", "post_votes_score_check", { ...vote, score: 0 }],
    ["a vote of three", "post_votes", "post_votes_score_check", { ...vote, score: 3 }],
    ["version 0", "post_versions", "post_versions_version_check", { ...version, version: 0 }],
    [
      "an added tag that is not there",
      "post_versions",
      "post_versions_changes_check",
      { ...version, added_tag_ids: [2] },
    ],
    [
      "a removed tag that is still there",
      "post_versions",
      "post_versions_changes_check",
      { ...version, removed_tag_ids: [1] },
    ],
    ["an unknown status", "uploads", "uploads_status_check", { ...upload, status: "failed" }],
    ["the post of an unfinished upload", "uploads", "uploads_post_check", { ...upload, post_id: 1 }],
    ["a capital letter", "tags", "tags_name_check", { name: "Tree" }],
    ["a wildcard", "tags", "tags_name_check", { name: "tr*" }],
    ["a dash in front", "tags", "tags_name_check", { name: "-tree" }],
    ["category 2", "tags", "tags_category_check", { name: "bush", category: 2 }],
    ["a negative number of posts", "tags", "tags_post_count_check", { name: "bush", post_count: -1 }],
    ["an alias to itself", "tag_aliases", "tag_aliases_names_check", { ...relation, consequent_name: "a" }],
    ["an unknown status", "tag_implications", "tag_implications_status_check", { ...relation, status: "done" }],
    ["a flag without a reason", "post_flags", "post_flags_reason_check", { ...flag, reason: " " }],
    ["a user's flag without the user", "post_flags", "post_flags_creator_check", { ...flag, creator_id: null }],
    ["a note left of the picture", "notes", "notes_geometry_check", { ...note, x: -1 }],
    ["a pool count that is not the number of posts", "pools", "pools_post_ids_check", { ...pool, post_count: 1 }],
    ["a comma in the name of a pool", "pools", "pools_name_check", { ...pool, name: "a,b" }],
    ["a comment without text", "comments", "comments_body_check", { post_id: 1, creator_id: 1, body: "\n" }],
    ["mail of other people", "dmails", "dmails_owner_check", { ...dmail, from_id: 2 }],
    [
      "forum category 3",
      "forum_topics",
      "forum_topics_category_check",
      { title: "x", creator_id: 1, updater_id: 1, category_id: 3 },
    ],
    [
      "a capital letter in a title",
      "wiki_pages",
      "wiki_pages_title_check",
      { title: "Tree", creator_id: 1, updater_id: 1 },
    ],
  ])("%s in %s", async (_rule, table, constraint, row) => {
    expect(await refusal(insert(table, row))).toBe(constraint);
  });

  it.each<[rule: string, table: string, constraint: string, row: Record<string, unknown>]>([
    ["one vote", "post_votes", "post_votes_post_id_user_id_key", { ...vote, score: 1 }],
    ["one favorite", "favorites", "favorites_user_id_post_id_key", vote],
    ["one flag", "post_flags", "post_flags_post_id_creator_id_key", flag],
    ["one appeal", "post_appeals", "post_appeals_post_id_creator_id_key", flag],
    ["one version of a number", "post_versions", "post_versions_post_id_version_key", version],
    ["one alias", "tag_aliases", "tag_aliases_antecedent_name_key", relation],
    ["one implication", "tag_implications", "tag_implications_names_key", relation],
    ["one pool of a name", "pools", "pools_lower_name_key", pool],
    ["one commentary", "artist_commentaries", "artist_commentaries_post_id_key", { post_id: 1 }],
  ])("%s only in %s", async (_rule, table, constraint, row) => {
    await insert(table, row);
    expect(await refusal(insert(table, row))).toBe(constraint);
  });

  it("a user may delete a post that they flagged, and a deleted alias may be created again", async () => {
    await insert("post_flags", flag);
    await insert("post_flags", { ...flag, is_deletion: true });
    expect(await refusal(insert("post_flags", { ...flag, is_deletion: true, creator_id: null }))).toBeNull();
    await insert("tag_aliases", { ...relation, status: "deleted" });
    expect(await refusal(insert("tag_aliases", relation))).toBeNull();
  });

  it("a series may contain a post twice, a collection may not", async () => {
    const twice = { ...pool, post_ids: [2, 1, 2], post_count: 3 };
    await insert("pools", twice);
    expect(await refusal(insert("pools", { ...twice, name: "other", category: "collection" }))).toBe(
      "pools_collection_check",
    );
  });

  it("expunging a post removes what belongs to it, and keeps its children and uploads", async () => {
    await insert("media_files", file(2));
    await insert("posts", post(2, { parent_id: 1 }));
    await insert("comments", { post_id: 1, creator_id: 2, body: "nice" });
    await insert("uploads", { ...upload, post_id: 1, status: "completed" });
    await client.query("DELETE FROM posts WHERE id = 1");
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM comments) AS comments, (SELECT parent_id FROM posts WHERE id = 2) AS parent,
              (SELECT post_id FROM uploads) AS upload`,
    );
    expect(rows).toEqual([{ comments: 0, parent: null, upload: null }]);
  });

  it("users with posts can't be removed", async () => {
    expect(await refusal(client.query("DELETE FROM users WHERE id = 1"))).toBe("posts_uploader_id_fkey");
  });
});
