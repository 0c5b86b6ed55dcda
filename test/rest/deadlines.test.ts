/** Statements that take too long are cancelled, after a time that depends on the viewer's level. */
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Level } from "../../src/runtime/auth/levels.js";
import { loadConfig } from "../../src/config.js";
import { statementDeadline } from "../../src/runtime/limits/limiter.js";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import { measured, timed } from "../support/timing.js";

const DEADLINES = {
  STATEMENT_TIMEOUT_MEMBER_MS: "250",
  STATEMENT_TIMEOUT_GOLD_MS: "600",
  STATEMENT_TIMEOUT_MS: "1200",
};
const REASON = "the request took too long; try a narrower search, or change less at once";

let test: TestBoard;
let observer: pg.Client;
beforeAll(async () => {
  // few connections, so that each has served viewers of all levels
  test = await startBoard({ ...DEADLINES, DATABASE_CONNECTIONS: "2" });
  observer = new pg.Client({ connectionString: test.board.databaseUrl });
  await observer.connect();
});
afterAll(async () => {
  await observer.end();
  await test[Symbol.asyncDispose]();
});

/** Runs the work while all statements that read the table wait. */
async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  await observer.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  try {
    return await work();
  } finally {
    await observer.query("ROLLBACK");
  }
}

/** Statements that the board's connections are busy with. */
async function running(): Promise<string[]> {
  await observer.query("SELECT pg_stat_clear_snapshot()"); // in a transaction, the activity would stay as first seen
  const { rows } = await observer.query<{ query: string }>(
    `SELECT query FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'graphbooru' AND state <> 'idle'`,
  );
  return rows.map(({ query }) => query);
}

describe("the statement timeout", () => {
  it("is 3, 6 and 9 seconds by level", () => {
    const config = loadConfig({});
    const deadlines = Object.entries(Level).map(([name, level]) => [name, statementDeadline(config, level)]);
    expect(Object.fromEntries(deadlines)).toEqual({
      Anonymous: 3000,
      Restricted: 3000,
      Member: 3000,
      Gold: 6000,
      Platinum: 9000,
      Builder: 9000,
      Contributor: 9000,
      Janitor: 9000,
      Moderator: 9000,
      Admin: 9000,
    });
  });

  it("never exceeds that of higher levels", () => {
    const config = loadConfig({ STATEMENT_TIMEOUT_MS: "2000" });
    expect([Level.Anonymous, Level.Gold, Level.Admin].map((level) => statementDeadline(config, level))).toEqual([
      2000, 2000, 2000,
    ]);
  });
});

describe("a search over the timeout", () => {
  it("is 503 with Retry-After, in JSON and XML, and is cancelled", async () => {
    const [json, xml] = await whileLocked("posts", async () => {
      const answers = [await test.anonymous.get("/posts.json"), await test.anonymous.get("/posts.xml")] as const;
      await expect.poll(running).toEqual([]); // PostgreSQL reports the error before the connection is idle
      return answers;
    });
    expect([json.status, json.headers.get("retry-after"), json.json]).toEqual([
      503,
      "10",
      { success: false, reason: REASON, message: REASON },
    ]);
    expect([xml.status, xml.headers.get("retry-after"), xml.xml?.attributes]).toEqual([
      503,
      "10",
      { success: "false", reason: REASON },
    ]);
    expect((await test.anonymous.get("/posts.json")).status).toBe(200);
  });

  it("is UNAVAILABLE in GraphQL", async () => {
    const { json } = await whileLocked("posts", () => test.anonymous.graphql("{ posts { nodes { id } } }"));
    expect(json.errors).toMatchObject([{ message: REASON, extensions: { code: "UNAVAILABLE", retryAfter: 10 } }]);
  });

  it("has the viewer's timeout, regardless of the connection's previous viewer", async () => {
    const [member, gold, platinum] = [
      await test.make.user("Member"),
      await test.make.user("Gold"),
      await test.make.user("Platinum"),
    ];
    const clients = [platinum.client, test.anonymous, gold.client, member.client, platinum.client, gold.client];
    const inTurn = async () => {
      const spans = await whileLocked("posts", async () => {
        const all = [];
        for (const client of clients) all.push(await timed(() => client.get("/posts.json")));
        return all;
      });
      expect(spans.map(({ answer }) => answer.status)).toEqual(clients.map(() => 503));
      return spans.map(({ milliseconds }) => [1200, 600, 250].find((timeout) => milliseconds >= timeout));
    };
    const timeouts = [1200, 250, 600, 250, 1200, 600];
    expect(await measured(inTurn, (found) => isDeepStrictEqual(found, timeouts))).toEqual(timeouts);
  });

  it("has it also after waiting for a connection of another level", async () => {
    const { client } = await test.make.user("Platinum");
    const visitorsTime = async () => {
      const answers = await whileLocked("posts", () =>
        Promise.all([client, client, test.anonymous].map((each) => timed(() => each.get("/posts.json")))),
      );
      expect(answers.map(({ answer }) => answer.status)).toEqual([503, 503, 503]);
      return answers[2]?.milliseconds ?? Infinity;
    };
    // the visitor waits for one of the two connections, and then for its own time
    const most = 1200 + 250 + 300;
    expect(await measured(visitorsTime, (time) => time < most)).toBeLessThan(most);
  });
});

describe("a write over the timeout", () => {
  it("is 503, and changes nothing", async () => {
    const post = await test.make.post("kept");
    const { client } = await test.make.user();
    const answer = await whileLocked("post_versions", () =>
      client.put(`/posts/${post.id}.json`, { post: { tag_string: "lost" } }),
    );
    expect([answer.status, answer.headers.get("retry-after"), answer.json.reason]).toEqual([503, "10", REASON]);
    expect((await test.anonymous.get(`/posts/${post.id}.json`)).json.tag_string).toBe("kept lowres");
  });
});

describe("the statement count of a request", () => {
  it("is its own after waiting for another's connection", async () => {
    const ask = (limit: number) => test.anonymous.get("/tags.json", { limit });
    const statements = await statementsOf(test, (await ask(20)).headers.get("x-request-id"));
    const many = await Promise.all(Array.from({ length: 12 }, (_, index) => ask(index + 1)));
    const counts = await Promise.all(many.map(({ headers }) => statementsOf(test, headers.get("x-request-id"))));
    expect(statements).toBeGreaterThan(0);
    expect(counts).toEqual(many.map(() => statements));
  });
});

describe("a connection that the database ends between two statements", () => {
  it("fails the next statement, and nothing else", async () => {
    const connection = await test.board.pool.connect();
    const ended = new Promise((resolve) => connection.once("end", resolve));
    const { rows } = await connection.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await observer.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    await ended;
    await expect(connection.query("SELECT 1")).rejects.toThrow("not queryable");
    connection.release(true);
    expect((await test.anonymous.get("/users.json")).status).toBe(200);
  });
});
