/** A board on a PostgreSQL of its operator's own, whose defaults differ from those of the embedded one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.js";
import { sql } from "../../src/database/client.js";
import { openDatabase } from "../../src/database/open.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { explainFailure } from "../../src/runtime/explain.js";
import { query } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { createDatabase, type TestDatabase } from "../support/database.js";

let database: TestDatabase;
const name = () => new URL(database.url).pathname.slice(1);
beforeAll(async () => {
  database = await createDatabase();
  for (const setting of [
    "TimeZone = 'Pacific/Chatham'",
    "DateStyle = 'SQL, DMY'",
    "default_transaction_isolation = 'repeatable read'",
    "idle_session_timeout = '1s'",
    "search_path = 'elsewhere'",
  ])
    await query(database.url, `ALTER DATABASE ${name()} SET ${setting}`);
});
afterAll(() => database.drop());

describe("a database with another time zone, date style, isolation level, timeout and schema", () => {
  let test: TestBoard;
  beforeAll(async () => {
    test = await startBoard({ DATABASE_URL: `${database.url}&options=-c%20TimeZone%3DAsia/Tokyo%20-c%20jit%3Doff` });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it("has times in UTC, by SQL and by Prisma", async () => {
    const post = await test.make.post();
    const createdAt = new Date("2026-03-04T23:30:00.123Z");
    await test.board.database.post.update({ where: { id: post.id }, data: { createdAt } });
    expect((await test.anonymous.get(`/posts/${post.id}.json`)).json.created_at).toBe("2026-03-04T23:30:00.123+00:00");
    expect((await test.board.database.post.findUniqueOrThrow({ where: { id: post.id } })).createdAt).toEqual(createdAt);
    const popular = (await test.anonymous.get("/explore/posts/popular.json", { date: "2026-03-04" })).json;
    expect(popular).toEqual([expect.objectContaining({ id: post.id })]);
  });

  it("counts comments that are written at once", async () => {
    const post = await test.make.post();
    const writers = await Promise.all(Array.from({ length: 6 }, () => test.make.user()));
    await Promise.all(
      writers.map(({ client }) =>
        client.post("/comments.json", { comment: { post_id: post.id, body: "at once", do_not_bump_post: true } }),
      ),
    );
    const counts = await test.board.database.postCount.findMany({ where: { postId: post.id, kind: "comments" } });
    expect(counts).toEqual([expect.objectContaining({ number: 6 })]);
  });

  it("does not end the connections that listen", async () => {
    const listening = () =>
      query(
        database.url,
        "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND state_change < now() - interval '2 s'",
      );
    await expect.poll(listening).toEqual([expect.anything()]);
  });

  it("keeps further options of DATABASE_URL", async () => {
    const shown = await test.board.database.query(sql`SELECT current_setting('jit') AS jit`);
    expect(shown).toEqual([{ jit: "off" }]);
  });
});

describe("a database that can't be used is refused at the start", () => {
  const opened = async (url: string) => {
    const config = { ...loadConfig({}), DATABASE_URL: url }; // as if the settings in the URL were ignored
    return openDatabase(config, createLog("silent")).then(() => "", explainFailure);
  };
  const created = async (options: string): Promise<string> => {
    const url = new URL(database.url);
    url.pathname = `${name()}_other`;
    await query(database.url, `CREATE DATABASE ${url.pathname.slice(1)} TEMPLATE template0 ${options}`);
    const said = await opened(url.href);
    await query(database.url, `DROP DATABASE ${url.pathname.slice(1)} WITH (FORCE)`);
    return said;
  };

  it("with another encoding", async () => {
    expect(await created("LOCALE_PROVIDER libc LOCALE 'C' ENCODING 'SQL_ASCII'")).toBe(
      "DATABASE_URL: the database has the encoding SQL_ASCII; create it with UTF8.",
    );
  });

  it.each([
    ["only the letters of English", "LOCALE_PROVIDER libc LOCALE 'C'"],
    ["letters whose lower case depends on the word", "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'"],
  ])("with a locale that knows %s", async (_, locale) => {
    expect(await created(`${locale} ENCODING 'UTF8'`)).toBe(
      "DATABASE_URL: lower('IÉΣ') is not 'iéσ' in the database; create it with another locale, such as C.UTF-8.",
    );
  });

  it("behind a pool that ignores the settings of connections", async () => {
    expect(await opened(database.url)).toBe(
      `DATABASE_URL: TimeZone of its connections is Pacific/Chatham; with a pool that ignores "options", use ALTER ROLE ... SET TimeZone = 'UTC'.`,
    );
  });
});
