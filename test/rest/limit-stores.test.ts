/** Limits shared by several servers, in the database or in Redis. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { ConfigError, loadConfig } from "../../src/config.js";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import { noRedis, TestRedis } from "../support/redis.js";

const LIMITS = { LIMIT_ANONYMOUS: "12", LIMIT_MEMBER: "20", LOGIN_ATTEMPTS_PER_HOUR: "4", ACCOUNTS_PER_HOUR: "3" };

/** Two servers on one database. */
async function startTwo(env: Record<string, string>): Promise<[TestBoard, TestBoard]> {
  const first = await startBoard({ ...LIMITS, TRUST_PROXY: "1", ...env });
  const second = { ...LIMITS, TRUST_PROXY: "1", ...env, DATABASE_URL: first.board.databaseUrl };
  return [first, await startBoard(second)];
}

let addresses = 0;
/** A visitor from an address that nobody used before, as both servers see them by turns. */
function visitor(servers: TestBoard[]): (ask: (client: Client) => Promise<Answer>) => Promise<Answer> {
  const header = { "x-forwarded-for": `198.51.100.${(addresses += 1)}` };
  let turn = 0;
  return (ask) => ask((servers[(turn += 1) % servers.length] as TestBoard).anonymous.with(header));
}

const tally = (answers: Answer[]): number[] =>
  [200, 421].map((code) => answers.filter((a) => a.status === code).length);

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** What holds whatever the store. */
function sharedLimits(servers: () => TestBoard[]): void {
  it("allows an address exactly its requests, in any concurrency", async () => {
    const visit = visitor(servers());
    const answers = await times(40, () => visit((client) => client.get("/tags.json")));
    expect(tally(answers)).toEqual([12, 28]);
    const reason = "hourly limit of 12 requests exceeded";
    for (const turn of [1, 2, 3]) {
      const refused = await visit((client) => client.get("/tags.json"));
      expect([turn, refused.json]).toEqual([turn, { success: false, reason, message: reason }]);
      expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3500);
      expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(3600);
    }
  });

  it("reports what remains, and when the hour ends", async () => {
    const visit = visitor(servers());
    const before = Math.floor(Date.now() / 1000);
    const answers = [];
    for (let turn = 0; turn < 4; turn += 1) answers.push(await visit((client) => client.get("/tags.json")));
    expect(answers.map(({ headers }) => headers.get("x-ratelimit-remaining"))).toEqual(["11", "10", "9", "8"]);
    for (const { headers } of answers) {
      expect(Number(headers.get("x-ratelimit-reset")) - before).toBeGreaterThanOrEqual(3599);
      expect(Number(headers.get("x-ratelimit-reset")) - before).toBeLessThanOrEqual(3630);
    }
  });

  it("keeps counting when a user's level rises", async () => {
    const [first] = servers() as [TestBoard];
    const user = await first.make.user("Member");
    const visit = visitor(servers());
    await visit((client) => client.as(user).get("/tags.json"));
    await first.board.accountAdmin.setLevel(user.name, 30);
    const { headers } = await visit((client) => client.as(user).get("/tags.json"));
    expect([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual(["10000", "9998"]);
  });

  it("counts a GraphQL query as several requests, and one over the limit as one", async () => {
    const user = await (servers()[0] as TestBoard).make.user();
    const visit = visitor(servers());
    const fields = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => `${name}: posts(first: 1) { totalCount }`);
    const ask = () => visit((client) => client.as(user).graphql(`{ ${fields.join(" ")} }`));
    const answers = [await ask(), await ask(), await ask()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 421]);
    const { status } = await visit((client) => client.as(user).get("/tags.json"));
    expect(status).toBe(200);
  });

  it("does not count suggestions, not even beside the last request of the hour", async () => {
    const visit = visitor(servers());
    for (let turn = 0; turn < 11; turn += 1) await visit((client) => client.get("/tags.json"));
    for (let turn = 0; turn < 4; turn += 1) {
      const { headers } = await visit((client) =>
        client.graphql('{ autocomplete(search: { query: "a" }) { nodes { value } } }'),
      );
      expect(headers.get("x-ratelimit-remaining")).toBe("1");
    }
    expect((await visit((client) => client.get("/tags.json"))).status).toBe(200);
    expect((await visit((client) => client.get("/tags.json"))).status).toBe(421);
  });

  it("refuses logins after failures on all servers together, for names of any length", async () => {
    for (const name of ["alma", "x".repeat(5000), "a\0b"]) {
      const visit = visitor(servers());
      const statuses = [];
      for (let tries = 0; tries < 6; tries += 1) {
        statuses.push((await visit((client) => client.post("/session.json", { name, password: "guess" }))).status);
      }
      expect(statuses).toEqual([403, 403, 403, 403, 421, 421]);
    }
  });

  it("limits accounts per address", async () => {
    const visit = visitor(servers());
    const prefix = `new_${addresses}`;
    const answers = await times(8, (index) =>
      visit((client) => client.post("/users.json", { user: { name: `${prefix}_${index}`, password: "long enough" } })),
    );
    expect(tally(answers)).toEqual([3, 5]);
  });
}

describe("LIMITS_STORE=postgres", () => {
  let servers: TestBoard[];
  beforeAll(async () => {
    servers = await startTwo({ LIMITS_STORE: "postgres" });
  });
  afterAll(async () => {
    for (const server of servers.toReversed()) await server[Symbol.asyncDispose]();
  });

  sharedLimits(() => servers);

  it("costs a request one statement, and none once one was refused", async () => {
    const [first] = servers as [TestBoard];
    await using alone = await startBoard({ DATABASE_URL: first.board.databaseUrl, LIMITS_STORE: "memory" });
    const statements = async (server: TestBoard, answer: Answer) =>
      statementsOf(server, answer.headers.get("x-request-id"));
    const usual = await statements(alone, await alone.anonymous.get("/tags.json"));
    const visit = visitor([first]);
    const answers = [];
    for (let turn = 0; turn < 15; turn += 1) answers.push(await visit((client) => client.get("/tags.json")));
    const counts = await Promise.all(answers.map((answer) => statements(first, answer)));
    expect(counts).toEqual([...Array.from({ length: 12 }, () => usual + 1), 1, 0, 0]);
  });

  it("continues in memory while the table is unavailable", async () => {
    const [first] = servers as [TestBoard];
    await first.board.database.execute(sql`ALTER TABLE rate_limits RENAME TO rate_limits_away`);
    const visit = visitor([first]);
    const answers = [];
    for (let turn = 0; turn < 14; turn += 1) answers.push(await visit((client) => client.get("/tags.json")));
    await first.board.database.execute(sql`ALTER TABLE rate_limits_away RENAME TO rate_limits`);
    expect(tally(answers)).toEqual([12, 2]);
  });
});

describe.skipIf(noRedis !== null)(`REDIS_URL${noRedis === null ? "" : ` (skipped: ${noRedis})`}`, () => {
  let redis: TestRedis;
  let servers: TestBoard[];
  beforeAll(async () => {
    redis = await TestRedis.start();
    servers = await startTwo({ REDIS_URL: redis.url });
  });
  afterAll(async () => {
    for (const server of servers.toReversed()) await server[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  sharedLimits(() => servers);

  it("is waited for once if it no longer answers, for a second", async () => {
    redis.silence(true);
    const visit = visitor(servers.slice(0, 1));
    const began = performance.now();
    const answers = [];
    for (let turn = 0; turn < 14; turn += 1) answers.push(await visit((client) => client.get("/tags.json")));
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(tally(answers)).toEqual([12, 2]);
    redis.silence(false);
  });

  it("is optional: each server counts by itself until Redis is back", async () => {
    const [first, second] = servers as [TestBoard, TestBoard];
    await redis.stop();
    const [here, there] = [visitor([first]), visitor([second])];
    const answers = [];
    for (let turn = 0; turn < 14; turn += 1) answers.push(await here((client) => client.get("/tags.json")));
    expect(tally(answers)).toEqual([12, 2]);
    expect((await there((client) => client.get("/tags.json"))).status).toBe(200);
    await redis.start();
    const remaining = async (server: TestBoard) => {
      const [one, other] = [visitor(servers), visitor([server])];
      await other((client) => client.get("/tags.json"));
      const both = [await one((client) => client.get("/tags.json")), await one((client) => client.get("/tags.json"))];
      return both.map(({ headers }) => headers.get("x-ratelimit-remaining"));
    };
    await expect.poll(() => remaining(first), { timeout: 20_000 }).toEqual(["11", "10"]);
  });
});

describe("LIMITS_STORE", () => {
  it("can't be redis without REDIS_URL", () => {
    expect(() => loadConfig({ LIMITS_STORE: "redis" })).toThrow(
      new ConfigError(["LIMITS_STORE: redis requires REDIS_URL"]),
    );
  });
});
