/** What `board verify` finds: nothing on a board after normal use, and every inconsistency of its rows. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queueBan } from "../../src/resources/artists/artist.ban.js";
import { recountTagCategory } from "../../src/resources/tags/tag.service.js";
import { tasks } from "../../src/operations/tasks.js";
import { INVARIANTS, verifyRows } from "../../src/operations/verify/verify.js";
import { query } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { runBoardCommand } from "../support/command.js";
import { createDatabase } from "../support/database.js";
import { Folder } from "../support/folder.js";
import { type FullBoard, fillBoard } from "../support/full-board.js";
import { holdTable } from "../support/held-table.js";
import { approve } from "../support/jobs.js";
import { wrongTagCounts } from "../support/traces.js";

let test: TestBoard;
let full: FullBoard;
beforeAll(async () => {
  test = await startBoard();
  full = await fillBoard(test);
});
afterAll(() => test[Symbol.asyncDispose]());

const verify = (batch?: number) => verifyRows(test.board.databaseUrl, batch === undefined ? {} : { batch });
const run = (sql: string) => test.board.pool.query(sql);
const GIVE_UP_JOBS = "UPDATE graphile_worker._private_jobs SET attempts = max_attempts";

/** What is wrong after a statement; it is taken back before the next. Foreign keys aside, so that anything can be broken. */
async function wrongAfter(...statements: string[]): Promise<Record<string, number[]>> {
  const tables = [
    "tags",
    "posts",
    "post_counts",
    "users",
    "pools",
    "comments",
    "notes",
    "post_versions",
    "artist_urls",
  ];
  const all = [
    ...tables,
    "forum_topics",
    "artists",
    "artist_versions",
    "wiki_pages",
    "pool_versions",
    "note_versions",
    "media_files",
    "tag_aliases",
    "tag_implications",
    "bans",
  ];
  for (const table of all) await run(`CREATE TABLE kept_${table} AS TABLE ${table}`);
  try {
    for (const statement of statements) await run(statement);
    return Object.fromEntries((await verify()).map(({ name, ids }) => [name, ids]));
  } finally {
    await restore(all);
  }
}

async function restore(tables: string[]): Promise<void> {
  const client = await test.board.pool.connect();
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  for (const table of tables) {
    await client.query(
      `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}; DROP TABLE kept_${table}`,
    );
  }
  await client.query("COMMIT");
  client.release();
}

describe("a board that was used", () => {
  it("has no problems, with any batch size", async () => {
    expect([await verify(), await verify(1)]).toEqual([[], []]);
  });

  it("has no problems after an alias that changed the category of a tag on other posts", async () => {
    const { owner } = full;
    await test.make.post("plain_name", {}, owner);
    await test.make.post("char:old_name", {}, owner);
    const id = await approve(owner, "Alias", "old_name", "plain_name");
    await test.board.tagRelationApplier.apply("alias", id);
    const { rows } = await run("SELECT id, category FROM tags WHERE name = 'plain_name'");
    expect([rows[0].category, await verify()]).toEqual([4, []]); // a job is to count the posts anew
    await run(GIVE_UP_JOBS);
    expect((await verify()).map(({ name }) => name)).toEqual(["posts.tag_counts"]);
    await recountTagCategory(test.board, rows[0].id as number);
    expect(await wrongTagCounts(test)).toEqual([]);
  });

  it("has no problems after edits of comments that decide whether they bump, which never move the post", async () => {
    const { owner } = full;
    const bumpedAfter = async (...quiet: boolean[]) => {
      const { id: post_id } = await test.make.post("commented", {}, owner);
      for (const do_not_bump_post of quiet) {
        const { json } = await owner.client.post("/comments.json", {
          comment: { post_id, body: "hm", do_not_bump_post },
        });
        const edit = { body: "hm", do_not_bump_post: !do_not_bump_post };
        await owner.client.put(`/comments/${json.id}.json`, { comment: edit });
      }
      const { json } = await owner.client.get(`/posts/${post_id}.json`);
      return json.last_comment_bumped_at !== null;
    };
    expect([await bumpedAfter(true), await bumpedAfter(false), await bumpedAfter(false, true)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await verify()).toEqual([]);
  });

  it("has no problems while an artist is banned", async () => {
    const { owner, artist } = full;
    await owner.client.put(`/artists/${artist}/ban.json`);
    const { rows } = await run(`SELECT is_banned FROM artists WHERE id = ${artist}`);
    expect([rows[0].is_banned, await verify(), await verify(1)]).toEqual([true, [], []]);
    await owner.client.put(`/artists/${artist}/unban.json`);
    expect(await verify()).toEqual([]);
  });

  it("has no problems after a flagged post was deleted, whose flag is still open, and which was the only child of another", async () => {
    const { id: parent } = await test.make.post("wreck", {}, full.owner);
    const { id: post_id } = await test.make.post(`flotsam parent:${parent}`, {}, full.owner);
    await full.member.client.post("/post_flags.json", { post_flag: { post_id, reason: "Flotsam." } });
    await test.board.postModeration.delete("board", post_id, "Flotsam.");
    const { rows } = await run(
      `SELECT is_resolved, is_deletion FROM post_flags WHERE post_id = ${post_id} ORDER BY id`,
    );
    expect(rows).toEqual([
      { is_resolved: false, is_deletion: false },
      { is_resolved: false, is_deletion: true },
    ]);
    expect(await verify()).toEqual([]);
  });

  it("has no problems with what is written while it is checked", async () => {
    const { owner } = full;
    const held = await holdTable(test.board.databaseUrl, "forum_topics");
    const checking = verify(); // of the counts first, among them those of topics, and of posts later
    await expect.poll(() => held.waiting()).toBe(1);
    const { id } = await test.make.post("jetsam", {}, owner);
    await run(`UPDATE posts SET source = 'elsewhere' WHERE id = ${id}`);
    await held[Symbol.asyncDispose]();
    const [during, after] = [await checking, await verify()];
    await run(`UPDATE posts SET source = '' WHERE id = ${id}`);
    expect([during, after.map(({ name }) => name)]).toEqual([[], ["posts.last_version"]]);
  });

  it("has no problems with tables of others in a schema of their own", async () => {
    await run("CREATE SCHEMA others; CREATE TABLE others.things (id serial); INSERT INTO others.things VALUES (7)");
    const wrong = await verify();
    await run("DROP SCHEMA others CASCADE");
    expect(wrong).toEqual([]);
  });

  it("reports progress", async () => {
    const seen = new Map<string, string>();
    const onProgress = (step: string, done: number, total: number) => void seen.set(step, `${done}/${total}`);
    await verifyRows(test.board.databaseUrl, { onProgress });
    expect([...seen.keys()]).toEqual(INVARIANTS.map(({ name }) => name));
    const { rows } = await run("SELECT max(id) AS last FROM pools");
    expect(seen.get("pools.post_ids")).toBe(`${rows[0].last}/${rows[0].last}`);
  });
});

describe("finds", () => {
  type Break = [name: string, sql: (ids: FullBoard) => string, of: (ids: FullBoard) => number];
  it.each<Break>([
    ["posts.fav_count", ({ parent }) => `UPDATE posts SET fav_count = 7 WHERE id = ${parent}`, ({ parent }) => parent],
    [
      "posts.score",
      ({ parent }) => `UPDATE posts SET up_score = 7, score = down_score + 7 WHERE id = ${parent}`,
      ({ parent }) => parent,
    ],
    [
      "posts.tag_counts",
      ({ parent }) =>
        `UPDATE posts SET tag_count_meta = tag_count_meta + 1, tag_count_general = tag_count_general - 1 WHERE id = ${parent}`,
      ({ parent }) => parent,
    ],
    [
      "posts.score",
      ({ parent }) => `UPDATE posts SET down_score = -7, score = up_score - 7 WHERE id = ${parent}`,
      ({ parent }) => parent,
    ],
    ["comments.score", ({ comment }) => `UPDATE comments SET score = 3 WHERE id = ${comment}`, (ids) => ids.comment],
    [
      "users.post_upload_count",
      ({ owner }) => `UPDATE users SET post_upload_count = 0 WHERE id = ${owner.id}`,
      ({ owner }) => owner.id,
    ],
    [
      "users.favorite_count",
      ({ member }) => `UPDATE users SET favorite_count = 9 WHERE id = ${member.id}`,
      ({ member }) => member.id,
    ],
    [
      "users.post_update_count",
      ({ owner }) => `UPDATE users SET post_update_count = 1 WHERE id = ${owner.id}`,
      ({ owner }) => owner.id,
    ],
    [
      "users.note_update_count",
      ({ owner }) => `UPDATE users SET note_update_count = 1 WHERE id = ${owner.id}`,
      ({ owner }) => owner.id,
    ],
    [
      "forum_topics.response_count",
      ({ topic }) => `UPDATE forum_topics SET response_count = 5 WHERE id = ${topic}`,
      ({ topic }) => topic,
    ],
    [
      "posts.has_children",
      ({ parent }) => `UPDATE posts SET has_active_children = FALSE WHERE id = ${parent}`,
      ({ parent }) => parent,
    ],
    [
      "posts.has_children",
      ({ single }) => `UPDATE posts SET has_children = TRUE WHERE id = ${single}`,
      (ids) => ids.single,
    ],
    [
      "posts.comment_times",
      ({ parent }) => `UPDATE posts SET last_commented_at = now() WHERE id = ${parent}`,
      ({ parent }) => parent,
    ],
    [
      "posts.comment_times",
      ({ parent }) => `UPDATE posts SET last_comment_bumped_at = now() WHERE id = ${parent}`,
      ({ parent }) => parent,
    ],
    [
      "posts.last_noted_at",
      ({ parent }) => `UPDATE posts SET last_noted_at = NULL WHERE id = ${parent}`,
      ({ parent }) => parent,
    ],
    [
      "posts.is_flagged",
      ({ child }) => `UPDATE posts SET is_flagged = FALSE WHERE id = ${child}`,
      ({ child }) => child,
    ],
    [
      "posts.is_flagged",
      ({ parent }) => `UPDATE posts SET is_flagged = TRUE WHERE id = ${parent}`,
      ({ parent }) => parent,
    ],
    [
      "post_counts.posts",
      () => "INSERT INTO post_counts VALUES ('notes', 999999, 1), ('pools', 999999, 1)",
      () => 999_999,
    ],
    ["posts.counts", ({ parent }) => `DELETE FROM post_counts WHERE post_id = ${parent}`, ({ parent }) => parent],
    [
      "posts.last_version",
      ({ single }) => `UPDATE posts SET source = 'elsewhere' WHERE id = ${single}`,
      ({ single }) => single,
    ],
    ["posts.pixiv_id", ({ single }) => `UPDATE posts SET pixiv_id = 7 WHERE id = ${single}`, ({ single }) => single],
    ...["https://www.pixiv.net/artworks/7", "https://i.pximg.net/img-original/img/2020/01/02/03/04/05/7_p0.jpg"].map(
      (source): Break => [
        "posts.pixiv_id",
        ({ single }) =>
          `UPDATE posts SET source = '${source}' WHERE id = ${single};
           UPDATE post_versions SET source = '${source}', source_changed = (version = 1) WHERE post_id = ${single}`,
        ({ single }) => single,
      ],
    ),
    [
      "artists.is_banned",
      ({ artist }) =>
        `UPDATE artists SET is_banned = TRUE WHERE id = ${artist}; UPDATE artist_versions SET is_banned = TRUE WHERE artist_id = ${artist}`,
      ({ artist }) => artist,
    ],
    ["posts.versions", ({ single }) => `DELETE FROM post_versions WHERE post_id = ${single}`, ({ single }) => single],
    [
      "posts.changes",
      ({ child }) => `UPDATE post_versions SET added_tag_ids = '{}' WHERE post_id = ${child} AND version = 1`,
      ({ child }) => child,
    ],
    ...[
      "removed_tag_ids = '{999999}'",
      "rating_changed = NOT rating_changed",
      "parent_changed = NOT parent_changed",
      "source_changed = NOT source_changed",
    ].flatMap((wrong) =>
      [1, 2].map((version): Break => [
        "posts.changes",
        ({ child }) => `UPDATE post_versions SET ${wrong} WHERE post_id = ${child} AND version = ${version}`,
        ({ child }) => child,
      ]),
    ),
    [
      "pools.post_changes",
      ({ pool }) => `UPDATE pool_versions SET removed_post_ids = '{1}' WHERE pool_id = ${pool} AND version = 2`,
      ({ pool }) => pool,
    ],
    [
      "pools.post_changes",
      ({ pool }) => `UPDATE pool_versions SET added_post_ids = uniq(sort(added_post_ids)) WHERE pool_id = ${pool}`,
      ({ pool }) => pool,
    ],
    [
      "pools.changes",
      ({ pool }) => `UPDATE pool_versions SET name_changed = NOT name_changed WHERE pool_id = ${pool} AND version = 1`,
      ({ pool }) => pool,
    ],
    [
      "pools.changes",
      ({ pool }) =>
        `UPDATE pool_versions SET description_changed = NOT description_changed WHERE pool_id = ${pool} AND version = 2`,
      ({ pool }) => pool,
    ],
    [
      "notes.version_posts",
      ({ note, single }) => `UPDATE note_versions SET post_id = ${single} WHERE note_id = ${note} AND version = 1`,
      ({ note }) => note,
    ],
    ["notes.last_version", ({ note }) => `UPDATE notes SET x = 2 WHERE id = ${note}`, ({ note }) => note],
    [
      "wiki_pages.last_version",
      ({ wiki }) => `UPDATE wiki_pages SET body = 'no' WHERE id = ${wiki}`,
      ({ wiki }) => wiki,
    ],
    [
      "artists.last_version_urls",
      ({ artist }) => `DELETE FROM artist_urls WHERE artist_id = ${artist}`,
      (ids) => ids.artist,
    ],
    [
      "pools.versions",
      ({ pool }) => `DELETE FROM pool_versions WHERE pool_id = ${pool} AND version = 1`,
      ({ pool }) => pool,
    ],
    [
      "pools.versions",
      ({ pool }) => `UPDATE pool_versions SET version = 3 WHERE pool_id = ${pool} AND version = 2`,
      ({ pool }) => pool,
    ],
  ])("%s", async (name, sql, of) => {
    expect(await wrongAfter(sql(full))).toEqual({ [name]: [of(full)] });
  });

  it("tags.post_count, also of an unused tag", async () => {
    const wrong = await wrongAfter("UPDATE tags SET post_count = post_count + 1 WHERE name IN ('sea', 'vessel')");
    const { rows } = await run("SELECT id FROM tags WHERE name IN ('sea', 'vessel') ORDER BY id");
    expect(wrong).toEqual({ "tags.post_count": rows.map(({ id }) => id as number) });
  });

  it("tags of posts that do not exist", async () => {
    const { rows } = await run("SELECT id FROM tags WHERE name = 'sun'");
    const wrong = await wrongAfter("DELETE FROM tags WHERE name = 'sun'");
    expect(wrong).toEqual({ "tags.post_count": [rows[0].id], "posts.tag_counts": [full.child] });
  });

  it("files that neither a post nor a version of one has", async () => {
    const { rows } = await run("SELECT 1 + max(id) AS id FROM media_files");
    const [{ id }] = rows as [{ id: number }];
    const added = `INSERT INTO media_files (id, md5, file_ext, file_size, image_width, image_height)
      VALUES (${id}, repeat('0', 32), 'jpg', 1, 1, 1)`;
    const replaced = `UPDATE post_versions SET media_file_id = ${id} WHERE post_id = ${full.child} AND version = 1`;
    const missing = "media_files.posts";
    expect([(await wrongAfter(added))[missing], (await wrongAfter(added, replaced))[missing]]).toEqual([
      [id],
      undefined,
    ]);
  });

  it("posts that were bumped by a comment after the first forty", async () => {
    const { single, owner } = full;
    const time = (comment: number) => `'2001-01-01'::timestamptz + interval '${comment} days'`;
    const bumpedBy = (comment: number) =>
      wrongAfter(
        `INSERT INTO comments (post_id, creator_id, body, created_at, updated_at)
         SELECT ${single}, ${owner.id}, 'hm', time, time
           FROM generate_series(${time(1)}, ${time(41)}, '1 day') AS time`,
        `UPDATE posts SET last_commented_at = ${time(41)}, last_comment_bumped_at = ${time(comment)} WHERE id = ${single}`,
      );
    expect([await bumpedBy(40), await bumpedBy(41)]).toEqual([{}, { "posts.comment_times": [single] }]);
  });

  it("pools with posts that do not exist", async () => {
    const { pool } = full;
    const change = `post_ids = post_ids || 999999, post_count = post_count + 1`;
    const wrong = await wrongAfter(
      `UPDATE pools SET ${change} WHERE id = ${pool}`,
      `UPDATE pool_versions SET post_ids = post_ids || 999999, added_post_ids = added_post_ids || 999999
        WHERE pool_id = ${pool} AND version = 2`,
    );
    expect(wrong).toEqual({ "pools.post_ids": [pool], "post_counts.posts": [999_999] });
  });

  it("a post among its own ancestors", async () => {
    const { parent, child } = full;
    const wrong = await wrongAfter(`UPDATE posts SET parent_id = ${child} WHERE id = ${parent}`);
    expect(wrong["posts.parent_id"]).toEqual([parent, child]);
  });

  const postsWith = async (name: string): Promise<number[]> => {
    const { rows } = await run(
      `SELECT p.id FROM posts p JOIN tags t ON t.id = ANY(p.tag_ids) WHERE t.name = '${name}' ORDER BY p.id`,
    );
    return rows.map(({ id }) => id as number);
  };

  it("posts left out of a retagging, which have an aliased tag, or lack an implied one", async () => {
    const { id } = await test.make.post("lone_sail", {}, full.owner);
    const made = (table: string, status: string): string =>
      `INSERT INTO ${table} (antecedent_name, consequent_name, creator_id, status) VALUES ('lone_sail', 'sea', ${full.owner.id}, '${status}')`;
    for (const table of ["tag_aliases", "tag_implications"]) {
      expect(await wrongAfter(made(table, "active"))).toEqual({ "posts.tags": [id] });
      expect(await wrongAfter(made(table, "processing"))).toEqual({});
    }
    expect(await wrongAfter(made("tag_implications", "active").replace("sea", "lowres"))).toEqual({});
  });

  it("posts without a tag that theirs imply, also if a job would have moved it to another one, but has given up", async () => {
    const { id } = await test.make.post("lone_mast", {}, full.owner);
    const columns = "(antecedent_name, consequent_name, creator_id, status)";
    const made = (table: string, from: string, to: string, status: string): string =>
      `INSERT INTO ${table} ${columns} VALUES ('${from}', '${to}', ${full.owner.id}, '${status}')`;
    const statements = [
      made("tag_implications", "lone_mast", "sea", "active"),
      made("tag_aliases", "ocean", "sea", "processing"),
      "SELECT graphile_worker.add_job('apply_tag_relation', job_key => 'apply_tag_relation:alias:' || max(id)) FROM tag_aliases",
    ];
    expect(await wrongAfter(...statements)).toEqual({});
    expect(await wrongAfter(...statements, GIVE_UP_JOBS)).toEqual({ "posts.tags": [id] });
  });

  it("banned artists whose tags don't imply that of bans, unless one of them is aliased", async () => {
    const { artist, owner } = full;
    const { rows } = await run(`SELECT name FROM artists WHERE id = ${artist}`);
    const unlessAliased = (name: string) =>
      wrongAfter(
        `UPDATE artists SET is_banned = TRUE WHERE id = ${artist}`,
        `UPDATE artist_versions SET is_banned = TRUE WHERE artist_id = ${artist}`,
        `INSERT INTO tag_aliases (antecedent_name, consequent_name, creator_id, status)
         VALUES ('${name}', 'elsewhere', ${owner.id}, 'processing')`,
      );
    const found = [
      await unlessAliased("nobody"),
      await unlessAliased(rows[0].name),
      await unlessAliased("banned_artist"),
    ];
    expect(found).toEqual([{ "artists.is_banned": [artist] }, {}, {}]);
    const itself = "is_banned = TRUE, name = 'banned_artist'";
    const ofBans = await wrongAfter(
      `UPDATE artists SET ${itself} WHERE id = ${artist}`,
      `UPDATE artist_versions SET ${itself} WHERE artist_id = ${artist}`,
    );
    expect(ofBans).toEqual({});
  });

  it("posts of a banned artist without the tag of the ban, unless a job will still add it", async () => {
    const { id } = await test.make.post("prolific_painter", {}, full.owner);
    const statements = [
      "INSERT INTO tags (name, category) VALUES ('banned_artist', 1) ON CONFLICT DO NOTHING",
      `INSERT INTO tag_implications (antecedent_name, consequent_name, creator_id, status)
       VALUES ('prolific_painter', 'banned_artist', ${full.owner.id}, 'active')`,
    ];
    expect(await wrongAfter(...statements)).toEqual({ "posts.tags": [id] });
    await queueBan(test.board.database, { name: "prolific_painter", userId: full.owner.id, address: "127.0.0.1" });
    expect(await wrongAfter(...statements)).toEqual({});
    expect(await wrongAfter(...statements, GIVE_UP_JOBS)).toEqual({ "posts.tags": [id] });
  });

  it("an alias of an alias, an implication of one, and a cycle of implications", async () => {
    const { owner, alias, implication } = full;
    const columns = "(antecedent_name, consequent_name, creator_id, status)";
    const wrong = await wrongAfter(
      `INSERT INTO tag_aliases ${columns} VALUES ('ship', 'vessel', ${owner.id}, 'active')`,
      `INSERT INTO tag_implications ${columns} VALUES ('vessel', 'ship', ${owner.id}, 'active')`,
    );
    expect(wrong).toEqual({
      "posts.tags": await postsWith("ship"),
      "tag_aliases.chains": [alias],
      "tag_implications.aliased": [implication, expect.any(Number)],
      "tag_implications.cycles": [implication, expect.any(Number)],
    });
  });

  it("names whose letters are not composed, but not of tags without posts", async () => {
    const { pool, wiki, owner } = full;
    const wrong = await wrongAfter(
      "UPDATE tags SET name = U&'ve\\0301ssel' WHERE name = 'vessel'",
      "INSERT INTO tags (name) VALUES (U&'se\\0301a')",
      `UPDATE users SET name = U&'ke\\0301n' WHERE id = ${owner.id}`,
      `UPDATE pools SET name = U&'ke\\0301n' WHERE id = ${pool}`,
      `UPDATE pool_versions SET name = U&'ke\\0301n' WHERE pool_id = ${pool}`,
      `UPDATE wiki_pages SET title = U&'ke\\0301n' WHERE id = ${wiki}`,
    );
    const { rows } = await run("SELECT id FROM tags WHERE name = 'vessel'");
    expect(wrong).toEqual({
      "tags.name": [rows[0].id],
      "users.name": [owner.id],
      "pools.name": [pool],
      "wiki_pages.title": [wiki],
      "wiki_pages.last_version": [wiki],
    });
  });

  it("artist URLs that a search finds under another one", async () => {
    const { rows } = await run("SELECT id FROM artist_urls WHERE url = 'https://example.com/b'");
    expect(
      await wrongAfter("UPDATE artist_urls SET normalized_url = 'http://example.com/c/' WHERE url ~ 'b$'"),
    ).toEqual({
      "artist_urls.normalized_url": [rows[0].id],
    });
  });

  it("users with a ban in force, for a time or for good, who are not banned", async () => {
    const { rows } = await run("SELECT user_id AS id FROM bans");
    const unbanned = (until: string) =>
      wrongAfter(`UPDATE bans SET expires_at = ${until}`, "UPDATE users SET is_banned = FALSE");
    const found = { "users.is_banned": [rows[0].id] };
    expect([await unbanned("expires_at"), await unbanned("NULL"), await unbanned("now()")]).toEqual([found, found, {}]);
  });

  it.each([
    ["behind their ids", true],
    ["that were never used, beside rows with ids", false],
  ])("sequences %s", async (_, isUsed) => {
    const { rows } = await run(
      "SELECT max(id) AS last, pg_sequence_last_value('posts_id_seq')::int AS next FROM posts",
    );
    await run(`SELECT setval('posts_id_seq', 1, ${isUsed})`);
    const wrong = await verify();
    await run(`SELECT setval('posts_id_seq', ${rows[0].next})`);
    expect(wrong).toEqual([
      { name: "posts.id", rule: "the sequence is not behind the highest id", count: 1, ids: [rows[0].last] },
    ]);
  });

  it("the number of problems, naming the first twenty", async () => {
    await run("INSERT INTO tags (name, post_count) SELECT U&'wronge\\0301_' || n, 1 FROM generate_series(1, 30) n");
    const faults = await verify(7);
    await run("DELETE FROM tags WHERE name LIKE 'wrong%'");
    expect(faults.map(({ name, count, ids }) => [name, count, ids.length])).toEqual([
      ["tags.post_count", 30, 20],
      ["tags.name", 30, 20],
    ]);
  });
});

describe("posting lists", () => {
  const LISTS = { least: 1, common: 0.4 };
  const faults = async () => Object.fromEntries((await verify()).map(({ name, ids }) => [name, ids]));

  /** What is wrong while the job builds the list of a tag, which no search uses yet. */
  async function faultsWhileBuilding(tag: number) {
    const { rows } = await run(`SELECT state FROM posting_lists WHERE tag_id = ${tag}`);
    await run(`UPDATE posting_lists SET state = 'building' WHERE tag_id = ${tag}`);
    const found = await faults();
    await run(`UPDATE posting_lists SET state = '${rows[0].state}' WHERE tag_id = ${tag}`);
    return found;
  }

  /** A list of the kind with a block of posts. */
  const listed = async (kind: string): Promise<number> =>
    ((await run(`SELECT min(tag_id) AS tag FROM posting_${kind}`)).rows as { tag: number }[])[0]?.tag ?? 0;

  it("have no problems, with any batch size", async () => {
    await test.board.postings.maintain(undefined, LISTS);
    expect([await listed("bits"), await listed("ids")]).toEqual([expect.any(Number), expect.any(Number)]);
    expect([await verify(), await verify(1), await verify(7000)]).toEqual([[], [], []]);
  });

  it.each([
    ["bits", "a post too many", "UPDATE posting_bits SET bits = set_bit(bits, 8000, 1)"],
    ["bits", "no posts", "UPDATE posting_bits SET bits = 0::bit(8192)"],
    ["bits", "no block", "DELETE FROM posting_bits"],
    ["ids", "a post too many", "UPDATE posting_ids SET ids = ids || 8000"],
    ["ids", "a post too few", "UPDATE posting_ids SET ids = ids[2:]"],
    ["ids", "no block", "DELETE FROM posting_ids"],
  ])("of %s are found that have %s", async (kind, _, statement) => {
    const tag = await listed(kind);
    await run(`CREATE TABLE kept_rows AS SELECT * FROM posting_${kind} WHERE tag_id = ${tag}`);
    await run(`${statement} WHERE tag_id = ${tag}`);
    expect(await faults()).toEqual({ [`posting_${kind}.${kind}`]: [tag] });
    expect(await faultsWhileBuilding(tag)).toEqual({});
    await run(`DELETE FROM posting_${kind} WHERE tag_id = ${tag}`);
    await run(`INSERT INTO posting_${kind} SELECT * FROM kept_rows`);
    await run("DROP TABLE kept_rows");
  });

  it.each(["bits", "ids"])("of %s are found that have posts after the last one", async (kind) => {
    const tag = await listed(kind);
    await run(
      `INSERT INTO posting_${kind} (tag_id, block, ${kind}) SELECT tag_id, 200, ${kind} FROM posting_${kind} WHERE tag_id = ${tag}`,
    );
    expect(await faults()).toEqual({ [`posting_${kind}.beyond`]: [tag] });
    expect(await faultsWhileBuilding(tag)).toEqual({});
    await run(`DELETE FROM posting_${kind} WHERE block = 200`);
  });
});

describe("blocks without posts, as expunging leaves them", () => {
  it.each([
    ["bits", "0::bit(8192)"],
    ["ids", "'{}'"],
  ])("are no problem: %s", async (kind, empty) => {
    const tag = "(SELECT max(id) FROM tags WHERE post_count = 0)";
    await run(`INSERT INTO posting_lists (tag_id, kind, state) VALUES (${tag}, '${kind}', 'ready')`);
    await run(`INSERT INTO posting_${kind} SELECT ${tag}, block, ${empty} FROM unnest(ARRAY[0, 200]) AS block`);
    expect(await verify()).toEqual([]);
    await run(`DELETE FROM posting_${kind} WHERE tag_id = ${tag}`);
    await run(`DELETE FROM posting_lists WHERE tag_id = ${tag}`);
  });
});

describe("spans of blocks of posts", () => {
  it("are made by the job, which retires lists that are too short unless its process stops", async () => {
    const made = async (stopping: AbortSignal) => {
      await tasks(test.board).make_postings?.({}, { attempts: 1, maxAttempts: 1, stopping });
      const lists = await run("SELECT DISTINCT state FROM posting_lists");
      return [lists.rows, (await run("SELECT block FROM post_spans")).rows];
    };
    const spans = [{ block: 0 }];
    expect(await made(AbortSignal.abort())).toEqual([[{ state: "ready" }], spans]);
    expect(await made(new AbortController().signal)).toEqual([[{ state: "retired" }], spans]);
  });

  it("that leave a post out are found", async () => {
    expect(await verify()).toEqual([]);
    await run("UPDATE post_spans SET last = '2001-01-01'");
    const { rows } = await run("SELECT id FROM posts ORDER BY id LIMIT 20");
    const [fault, ...others] = await verify();
    await run("DELETE FROM post_spans");
    expect([fault?.name, fault?.ids, others]).toEqual(["posts.spans", rows.map(({ id }) => id as number), []]);
  });
});

describe("a missing file", () => {
  it("is not a problem of rows but of the storage", async () => {
    const [file] = (await run("SELECT md5 FROM media_files ORDER BY id LIMIT 1")).rows as { md5: string }[];
    const md5 = file?.md5 ?? "";
    const key = `original/${md5.slice(0, 2)}/${md5.slice(2, 4)}/${md5}.jpg`;
    await rm(path.join(test.board.config.mediaDir, key));
    const { ok, missingOriginals } = await test.board.storageAudit.run(false);
    expect([await verify(), ok, missingOriginals]).toEqual([[], false, [key]]);
  });
});

it("board verify says of a database without a board that there is none, and leaves it empty", async () => {
  await using folder = await Folder.make();
  const database = await createDatabase();
  try {
    await query(database.url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    expect(await runBoardCommand({ databaseUrl: database.url, config: { dataDir: folder.path } }, ["verify"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "There is no board with accounts; check DATABASE_URL, DATA_DIR and ENV_FILE.\n",
    });
    expect(await query(database.url, "SELECT FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  } finally {
    await database.drop();
  }
});
