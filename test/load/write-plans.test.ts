/**
 * The cost of a write grows neither with the board nor with the records of its user or topic: on tables of 20,000 rows, a tenth of them by each of two
 * users, no statement of a mutation, command or job, or of their triggers, reads more than 1,500 rows unless it changes as many.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { tasks } from "../../src/operations/tasks.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { FILLED_TABLES, fillTables } from "../support/fill.js";
import { mutate, mutations, UNLIMITED } from "../support/permission-walk.js";
import { recordPlans, scansOf, sendPlans } from "../support/plans.js";
import { ENDS_KEYS, type Input, type Recipe, recipesOn } from "../support/recipes.js";
import { type Site, startSite } from "../support/site.js";
import { fresh, makeStage, type Stage } from "../support/stage.js";

const ROWS = 20_000;
const MUCH = 1_500;
/** Posts of the pool 7. */
const LARGE = 2_000;
/** Scans that read more, and why. */
const EXCEPTIONS = {
  "users_banned_idx users": "the hourly job looks at all banned users, without locking them",
  "bans_user_id_id_idx bans": "and at their bans",
  "Seq Scan rate_limits": "the hourly job deletes half of the rows, those of the hour before the last",
  "Seq Scan viewer_writes": "the same",
};
/** What the jobs look through, beside the tables of `fill.ts`: none of it is due. */
const STATES = [
  "UPDATE users SET is_banned = TRUE WHERE id % 10 = 3",
  `UPDATE pools SET post_ids = ARRAY(SELECT generate_series(1, ${LARGE})), post_count = ${LARGE} WHERE id = 7`,
  "INSERT INTO bans (user_id, banner_id, reason) SELECT id, 1, 'spam' FROM users WHERE id % 10 = 3",
  "INSERT INTO user_sessions (user_id, token_hash, address) SELECT id, sha256(name::bytea), '127.0.0.1' FROM users",
  "INSERT INTO known_addresses (user_id, digest) SELECT id, sha256(name::bytea) FROM users",
  "INSERT INTO viewer_writes (viewer, position) SELECT name, 1 FROM users",
  "INSERT INTO rate_limits (key, expire) SELECT name, 9e15 FROM users",
  "SET session_replication_role = replica", // or a trigger would revise the posts, one at a time
  "UPDATE media_files SET placeholder = ''",
  "RESET session_replication_role",
];

let site: Site;
let test: TestBoard;
let stage: Stage;
let recipes: Record<string, Recipe>;
let admin: TestUser;
let member: TestUser;
let explainer: pg.Client;

beforeAll(async () => {
  site = await startSite();
  test = await startBoard({ SOURCE_ALLOW_HOSTS: site.host, STATEMENT_TIMEOUT_MS: "30000", ...UNLIMITED });
  admin = await test.make.user("Admin");
  member = await test.make.user("Member");
  await fillTables(test.board.databaseUrl, ROWS);
  explainer = new pg.Client({ connectionString: test.board.databaseUrl });
  await explainer.connect();
  await continueIds();
  stage = await makeStage(test);
  recipes = recipesOn(stage, site);
  await giveRecords(admin, 0);
  await giveRecords(member, 5);
  await explainer.query(
    `UPDATE forum_posts SET topic_id = ${stage.records.forum_topics} WHERE id BETWEEN 100 AND 5000`,
  );
  for (const statement of STATES) await explainer.query(statement);
  await explainer.query("ANALYZE");
  await sendPlans(explainer);
  await vi.waitUntil(() => test.board.pool.idleCount === 0, 20_000); // it has noticed that its sessions were ended
}, 400_000);
afterAll(async () => {
  await explainer?.end();
  await test?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

/** The tables are filled with ids of their own. */
async function continueIds(): Promise<void> {
  const { rows } = await explainer.query<{ name: string; sequence: string }>(
    `SELECT relname AS name, pg_get_serial_sequence(quote_ident(relname), 'id') AS sequence FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'id')`,
  );
  for (const { name, sequence } of rows.filter((row) => row.sequence !== null))
    await explainer.query(`SELECT setval('${sequence}', greatest(1, (SELECT max(id) FROM "${name}")))`);
}

/** Gives a user every tenth record of each kind: what a write costs does not grow with its user's records either. */
async function giveRecords({ id }: TestUser, digit: number): Promise<void> {
  const { rows } = await explainer.query<{ name: string; owner: string }>(
    `SELECT relname AS name, attname AS owner FROM pg_constraint c JOIN pg_class ON pg_class.oid = c.conrelid
       JOIN pg_attribute ON attrelid = c.conrelid AND attnum = c.conkey[1]
      WHERE confrelid = 'users'::regclass AND relname = ANY($1) AND attname IN ('creator_id', 'uploader_id', 'updater_id', 'user_id')`,
    // nobody bans himself, or has more than ten favorite groups
    [FILLED_TABLES.filter((name) => !["bans", "user_feedbacks", "favorite_groups"].includes(name))],
  );
  await explainer.query("SET session_replication_role = replica");
  for (const { name, owner } of rows)
    await explainer.query(
      `UPDATE ${name} SET ${owner} = ${id} WHERE id % 10 = ${digit} AND id BETWEEN 100 AND ${ROWS}`,
    );
  await explainer.query("RESET session_replication_role");
}

/** The scans of some work that read much, whatever rows PostgreSQL's statistics were made of. */
async function scansInAllSamples(work: () => Promise<unknown>): Promise<string[]> {
  let found: string[] = [];
  for (let sample = 1; sample <= 3; sample += 1) {
    const plans = await recordPlans(async () => void (await work()));
    found = plans.flatMap(({ "Query Text": text, Plan }) => scansOf(Plan, MUCH).map((scan) => `${scan}: ${text}`));
    found = found.filter((scan) => !Object.keys(EXCEPTIONS).some((part) => scan.includes(part)));
    if (found.length === 0) break;
    await explainer.query("ANALYZE");
  }
  return found;
}

let moves = 0;
/** The posts of a large pool in another order, with one that comes and one that goes. */
function moved(): number[] {
  moves += 1;
  return Array.from({ length: LARGE }, (_, place) => LARGE + moves - place);
}

/** Each mutation as its recipe says it, and some with other input. */
const MUTATIONS: [string, () => Input][] = [
  ...mutations.map(({ name }): [string, () => Input] => [name, () => ({})]),
  ["updatePost", () => ({ parentId: 77 })],
  ["updatePost", () => ({ tagString: "sea pool:77 fav:me upvote:me child:78" })],
  ["updatePool", () => ({ postIds: [77, 78], name: fresh("fleet") })],
  ["updatePool", () => ({ id: 7, postIds: moved() })],
  ["updateArtist", () => ({ name: fresh("by") })],
  ["updateWikiPage", () => ({ title: fresh("ship") })],
];

describe("few rows are read by the mutation", () => {
  it.each(MUTATIONS)("%s", async (field, more) => {
    for (const user of [member, admin]) {
      let outcome = "";
      const found = await scansInAllSamples(async () => {
        const viewer = ENDS_KEYS.has(field) ? await test.make.user() : user;
        const owner = field === "approvePost" ? stage.owner : viewer; // nobody approves his own posts
        const input = { ...(await recipes[field]?.(owner, viewer)), ...more() };
        outcome = await mutate(field, viewer.client, input);
      });
      expect(found).toEqual([]);
      expect(user === admin ? ["done"] : ["done", "403 FORBIDDEN"]).toContain(outcome);
    }
  });
});

it("expungePost counts the comments of a post, and the notes, together", async () => {
  const id = await stage.anotherPost();
  for (const table of ["comments", "notes"])
    await explainer.query(`UPDATE ${table} SET post_id = ${id} WHERE id BETWEEN 100 AND 199`);
  const plans = await recordPlans(async () => expect(await mutate("expungePost", admin.client, { id })).toBe("done"));
  const counts = plans.filter(({ "Query Text": text }) => text.includes("INSERT INTO post_counts"));
  expect(counts.length).toBeLessThan(10);
  const { rows } = await explainer.query("SELECT FROM post_counts WHERE post_id = $1", [id]);
  expect(rows).toEqual([]);
});

it("expungePost counts the children of a post together, and reads no pool for them", async () => {
  const id = await stage.anotherPost();
  await explainer.query(`UPDATE posts SET parent_id = ${id}, is_deleted = id % 2 = 0 WHERE id BETWEEN 100 AND 199`);
  const plans = await recordPlans(async () => expect(await mutate("expungePost", admin.client, { id })).toBe("done"));
  const counts = plans.filter(({ "Query Text": text }) => text.includes("INSERT INTO post_counts"));
  expect(counts.length).toBeLessThan(10);
  expect(plans.flatMap(({ Plan }) => scansOf(Plan, MUCH))).toEqual([]);
  const { rows } = await explainer.query(
    "SELECT post_id, kind, number FROM post_counts WHERE post_id = ANY($1) AND kind::text LIKE '%children' ORDER BY kind",
    [[id, 100]],
  );
  const numbers = { children: 99, active_children: 50, deleted_children: 49 };
  expect(rows).toEqual(Object.entries(numbers).map(([kind, number]) => ({ post_id: 100, kind, number })));
});

it("expungePost sends the events of a post's children together", async () => {
  const id = await stage.anotherPost();
  await explainer.query(`UPDATE posts SET parent_id = ${id} WHERE id BETWEEN 200 AND 299`);
  const plans = await recordPlans(async () => expect(await mutate("expungePost", admin.client, { id })).toBe("done"));
  const events = plans.filter(({ "Query Text": text }) => text.includes("pg_notify"));
  expect(events.length).toBeLessThan(10);
});

it("expungePost changes the lists that a post is in a few at a time, and once each", async () => {
  const id = await stage.anotherPost();
  await explainer.query(`
    INSERT INTO favorite_groups (name, creator_id, post_ids, post_count)
    SELECT 'of_many_' || n, ${admin.id}, ARRAY[1, ${id}], 2 FROM generate_series(1, 25) n`);
  const plans = await recordPlans(async () => expect(await mutate("expungePost", admin.client, { id })).toBe("done"));
  const updates = plans.filter(({ "Query Text": text }) => text.includes('UPDATE "favorite_groups"'));
  expect(updates.map(({ Plan }) => Plan.Plans?.[0]?.["Actual Rows"])).toEqual([10, 10, 5]);
  const { rows } = await explainer.query(`
    SELECT DISTINCT g.post_ids, g.post_count, v.version, v.removed_post_ids FROM favorite_groups g
      LEFT JOIN favorite_group_versions v ON v.favorite_group_id = g.id WHERE g.name LIKE 'of_many_%'`);
  expect(rows).toEqual([{ post_ids: [1], post_count: 1, version: 1, removed_post_ids: [id] }]);
});

it("expungePost removes the favorites of a post some thousands at a time, in the order of their users", async () => {
  const id = await stage.anotherPost();
  await explainer.query(`DELETE FROM favorites WHERE post_id = ${id}`);
  await explainer.query(`
    INSERT INTO favorites (post_id, user_id) SELECT ${id}, id FROM users WHERE id <= 12000 ORDER BY -id`);
  await explainer.query("UPDATE users SET favorite_count = 2 WHERE id <= 12000");
  const plans = await recordPlans(async () => expect(await mutate("expungePost", admin.client, { id })).toBe("done"));
  const updates = plans.filter(({ "Query Text": text }) => text.includes("UPDATE users SET favorite_count"));
  expect(updates.map(({ Plan }) => Plan.Plans?.at(-1)?.["Actual Rows"])).toEqual([5000, 5000, 2000]);
  const { rows } = await explainer.query("SELECT DISTINCT favorite_count FROM users WHERE id <= 12000");
  expect(rows).toEqual([{ favorite_count: 1 }]);
});

/** Names and payloads of jobs, with what they have to do. */
const JOBS: [string, () => Promise<object>][] = [
  ...["expire_posts", "lift_bans", "make_postings", "make_thumbnails", "sweep_limits", "sweep_sessions"].map(
    (name): [string, () => Promise<object>] => [name, async () => ({})],
  ),
  ["apply_tag_relation", () => relation("alias")],
  ["apply_tag_relation", () => relation("implication")],
  ["recount_tag_category", async () => ({ tagId: await tagOf(fresh("boat")) })],
  ["remove_files", async () => ({ md5: "0".repeat(32), keys: [] })],
];

/** The number of a tag, which one post has. */
async function tagOf(name: string): Promise<number> {
  await test.make.post(name);
  return (await test.board.tags.byName(name))?.id ?? 0;
}

/** A new one, of a tag with one post. */
async function relation(kind: "alias" | "implication"): Promise<object> {
  const names = { antecedentName: fresh("boat"), consequentName: fresh("ship") };
  await tagOf(names.antecedentName);
  const service = kind === "alias" ? test.board.tagAliases : test.board.tagImplications;
  return { kind, id: (await service.createApproved(admin.id, names)).id };
}

describe("few rows are read by the job", () => {
  it.each(JOBS)("%s", async (name, payload) => {
    const run = async () => {
      const job = { attempts: 1, maxAttempts: 1, stopping: new AbortController().signal };
      await tasks(test.board)[name]?.(await payload(), job);
    };
    await run(); // the first one makes posting lists
    expect(await scansInAllSamples(run)).toEqual([]);
  });
});

describe("few rows are read by the command", () => {
  it.each<[string, (name: string) => Promise<unknown>]>([
    ["user level", (name) => test.board.accountAdmin.setLevel(name, 30)],
    ["user recover", (name) => test.board.accountAdmin.makeRecovery(name)],
    ["user password", (name) => test.board.accountAdmin.setPassword(name, "another good one")],
    ["user rename", (name) => test.board.accountAdmin.rename(name, "renamed")],
    ["user close", () => test.board.accountAdmin.close("renamed")],
  ])("%s", async (_name, run) => {
    expect(await scansInAllSamples(() => run(member.name))).toEqual([]);
  });
});
