/**
 * Client addresses are stored where moderation needs them, and currently shown to nobody.
 * Those of sessions are stored for the session's user, and shown to nobody else.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { WRITES } from "../../src/resources/permissions.js";
import { permits } from "../../scripts/roles.js";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";
import { fieldsOf, mutate, mutations, UNLIMITED, Viewers } from "../support/permission-walk.js";
import { ENDS_KEYS, recipesOn } from "../support/recipes.js";
import { ASKED, isRead, rows, tableOf } from "../support/rest-rows.js";
import { signIn } from "../support/session.js";
import { type Site, startSite } from "../support/site.js";
import { makeStage, type Stage } from "../support/stage.js";

const ADDRESS = "203.0.113.77";

/** What moderation looks at to know who wrote: the tables of what users write, and the column of each. */
const STORED = [
  "artist_commentary_versions.updater_ip",
  "artist_versions.updater_ip",
  "comments.creator_ip",
  "comments.updater_ip",
  "dmails.creator_ip",
  "favorite_group_versions.updater_ip",
  "forum_posts.creator_ip",
  "note_versions.updater_ip",
  "notes.creator_ip",
  "pool_versions.updater_ip",
  "post_appeals.creator_ip",
  "post_flags.creator_ip",
  "post_versions.updater_ip",
  "posts.uploader_ip",
  "user_sessions.address",
  "wiki_page_versions.updater_ip",
];
/** Columns that nothing is written to. */
const UNUSED = ["uploads.uploader_ip", "users.last_ip"];

let test: TestBoard;
let site: Site;
let stage: Stage;
let viewers: Viewers;
beforeAll(async () => {
  site = await startSite();
  test = await startBoard({ SOURCE_ALLOW_HOSTS: site.host, TRUST_PROXY: "1", ...UNLIMITED });
  stage = await makeStage(test);
  viewers = await Viewers.make(test);
  const admin = viewers.userOf("admin");
  if (!admin) throw new Error("there is no Admin");
  const recipes = recipesOn(stage, site);
  for (const { name } of mutations) {
    if (/Session/.test(name)) continue;
    const by = ENDS_KEYS.has(name) ? await test.make.user("Admin") : admin;
    const mayOthers = permits(WRITES[name] ?? { minimum: "public" }, "admin", false);
    const input = (await recipes[name]?.(mayOthers ? stage.owner : by, by)) ?? {};
    const outcome = await mutate(name, by.client.with({ "x-forwarded-for": ADDRESS }), input);
    if (outcome !== "done") throw new Error(`${name}: ${outcome}`);
  }
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** All columns, by their type. */
const columnsOf = async (type: string): Promise<string[]> => {
  const found = await test.board.database.query<{ name: string }>(sql`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND (data_type = ${type} OR udt_name = ${type})`);
  return found.map(({ name }) => name).sort();
};

/** In how many rows the column has the address, as a part of its text. */
async function countIn(column: string): Promise<number> {
  const [table, name] = column.split(".");
  const { rows: found } = await test.board.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "${table}" WHERE "${name}"::text LIKE '%${ADDRESS}%'`,
  );
  return found[0]?.count ?? 0;
}

describe("the client address, after every mutation was sent from it", () => {
  it("is stored in each of the columns that moderation needs, and in no other inet column", async () => {
    expect(await columnsOf("inet")).toEqual([...STORED, ...UNUSED].sort());
    const empty = [];
    for (const column of STORED) if ((await countIn(column)) === 0) empty.push(column);
    expect(empty).toEqual([]);
    for (const column of UNUSED) expect([column, await countIn(column)]).toEqual([column, 0]);
  });

  it("is in no text column of any table", async () => {
    for (const type of ["text", "_text", "jsonb", "json", "varchar"]) {
      for (const column of await columnsOf(type)) expect([column, await countIn(column)]).toEqual([column, 0]);
    }
  });
});

describe("it is not exposed", () => {
  const clients = (): [string, Client][] =>
    (["anonymous", "member", "janitor", "moderator", "admin"] as const).map((role) => [role, viewers.clientOf(role)]);

  it.each(rows.filter(isRead))("by %s", async (name, row, chosen) => {
    for (const [role, client] of clients()) {
      const ids = row.path.includes(":id")
        ? (await test.board.pool.query<{ id: number }>(`SELECT id FROM ${tableOf(row)} ORDER BY id DESC LIMIT 5`)).rows
        : [{ id: stage.records.posts }];
      for (const { id } of ids) {
        const path = row.path.replace(":post_id", String(stage.records.posts)).replace(":id", String(id));
        const { text } = await client.get(`${path}.json`, { ...ASKED[name], ...chosen, limit: "100" });
        expect([role, text.includes(ADDRESS)]).toEqual([role, false]);
      }
    }
  });

  it("in the GraphQL schema, except by a session's field", () => {
    const types = Object.values(sharedSchema().getTypeMap()).filter(({ name }) => !name.startsWith("__"));
    const fields = types.flatMap((type) =>
      "getFields" in type ? fieldsOf(type as never).map(({ name }) => `${type.name}.${name}`) : [],
    );
    expect(fields.length).toBeGreaterThan(300);
    const telling = fields.filter((name) => /([a-z])Ip($|[A-Z])|\.ip($|[A-Z])|[aA]ddress/.test(name));
    expect(telling).toEqual(["Session.address"]);
  });

  it("in the list of sessions, except to their own user", async () => {
    const user = await test.make.user();
    await signIn(test.anonymous.with({ "x-forwarded-for": ADDRESS }), user);
    const query = "{ sessions { nodes { address } } }";
    expect((await user.client.graphql(query)).json.data).toEqual({ sessions: { nodes: [{ address: ADDRESS }] } });
    for (const [role, client] of clients())
      expect([role, (await client.graphql(query)).text.includes(ADDRESS)]).toEqual([role, false]);
  });

  it("by a search key", async () => {
    for (const key of ["creator_ip", "updater_ip", "ip_addr", "uploader_ip", "creator_ip_addr", "last_ip"]) {
      for (const path of ["/comments.json", "/notes.json", "/posts.json", "/post_versions.json", "/users.json"]) {
        const all = await stage.owner.client.get(path, { limit: "100" });
        const found = await stage.owner.client.get(path, { limit: "100", search: { [key]: "192.0.2.1" }, [key]: "x" });
        expect([path, key, found.text]).toEqual([path, key, all.text]);
      }
    }
  });
});
