/** A replica that dies, stops responding, cancels statements or is promoted: readers don't notice. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { currentScope, RequestScope } from "../../src/database/request-scope.js";
import { BoardEvents } from "../../src/runtime/events/events.js";
import { startBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import { tally, times } from "../support/processes.js";
import { noReplicas, PostgresServer } from "../support/replica.js";
import { ReplicaStage } from "../support/replica-stage.js";

const skip = noReplicas ? `, skipped: ${noReplicas}` : "";

/** Milliseconds that an answer would be waited for, were nobody watching. */
const PATIENCE = 60_000;

let stage: ReplicaStage;
let post: number;
beforeAll(async () => {
  if (noReplicas) return;
  stage = await ReplicaStage.start({ STATEMENT_TIMEOUT_MS: String(PATIENCE), DATABASE_CONNECTIONS_PER_CLIENT: "4" });
  ({ id: post } = await stage.first.make.post("kitten"));
});
afterAll(() => stage?.[Symbol.asyncDispose]());

/** Reads by every way: prepared, planned, through Prisma, by both APIs. */
const READS: ((client: Client) => Promise<Answer>)[] = [
  (client) => client.get(`/posts/${post}.json`),
  (client) => client.get("/posts.json", { tags: "kitten width:>1" }),
  (client) => client.get("/users.json"),
  (client) => client.graphql("{ posts { nodes { id comments { id } } } }"),
];

/** Asks both servers everything at once, so many times. */
async function crowd(count: number): Promise<Answer[]> {
  const clients = await times(3, () => stage.reader());
  const asked = await times(count, (index) => {
    const client = clients[index % 4] ?? stage.visitor();
    return stage.atBoth(client, READS[index % READS.length] as (typeof READS)[number]);
  });
  return asked.flat();
}

const errorsOf = (answers: Answer[]): string[] =>
  answers.map(({ text }) => text).filter((text) => text.includes('"errors"'));

const isRead = () => expect.poll(() => stage.areRead()).toEqual([true, true]);

describe.skipIf(noReplicas)(`a replica${skip}`, () => {
  it("is read from by both servers", isRead);

  it("killed under load leaves no request unanswered, and is used again when it is back", async () => {
    await stage.hold("posts");
    const load = [crowd(24)];
    await expect.poll(() => stage.waiting()).toBeGreaterThan(0);
    await stage.replica.kill();
    for (let round = 0; round < 4; round += 1) load.push(crowd(12));
    const answers = (await Promise.all(load)).flat();
    expect([tally(answers), errorsOf(answers)]).toEqual([{ 200: 144 }, []]);
    expect((await stage.first.anonymous.get("/readyz")).status).toBe(200);
    await stage.replica.start();
    await isRead();
  });

  it("that stops responding delays requests only until this is noticed", async () => {
    stage.proxy.silence(true);
    const began = performance.now();
    const answers = await crowd(16);
    const took = performance.now() - began;
    stage.proxy.silence(false);
    expect([tally(answers), errorsOf(answers)]).toEqual([{ 200: 32 }, []]);
    expect(took).toBeLessThan(PATIENCE / 2);
    await isRead();
  });

  it("that is another database, or no replica, is never read from", () => {
    const other = { replica: new URL(inject("databaseUrl")).host, fault: "not a streaming replica" };
    const foreign = { replica: new URL(stage.replica.url).host, fault: "a replica of another database" };
    for (const { log } of stage.servers) {
      const warned = log.filter(({ msg }) => msg === "replica not in use");
      expect(warned).toContainEqual(expect.objectContaining(other));
      expect(warned).toContainEqual(expect.objectContaining(foreign));
    }
  });
});

/** Does the work as a request of a visitor does that only reads. */
const asReader = <T>(work: () => Promise<T>): Promise<T> =>
  new RequestScope().run(async () => {
    const { replicas } = stage.first.board;
    await expect.poll(() => replicas?.choose({ viewer: { id: null }, address: "203.0.113.9" })).not.toBe("");
    return work();
  });

const read = <T extends object>(statement: string): Promise<T[]> =>
  stage.first.board.database.query<T>(sql([statement]));

describe.skipIf(noReplicas)(`a statement on a replica${skip}`, () => {
  it("that conflicts with recovery runs on the primary", async () => {
    const asked = asReader(() =>
      read<{ by: string }>(
        "SELECT CASE WHEN pg_is_in_recovery() THEN pg_sleep(60)::text ELSE 'the primary' END AS by FROM tag_generation",
      ),
    );
    const answered = asked.then(() => true);
    const conflict = async () => {
      await stage.primary.ask("CREATE TABLE doomed (id int); INSERT INTO doomed SELECT generate_series(1, 100)");
      await stage.primary.ask("DELETE FROM doomed");
      await stage.primary.ask("VACUUM doomed");
      await stage.primary.ask("DROP TABLE doomed");
      return Promise.race([answered, Promise.resolve(false)]);
    };
    await expect.poll(conflict).toBe(true);
    expect(await asked).toEqual([{ by: "the primary" }]);
    const [row] = await stage.replica.ask<{ conflicts: number }>(
      "SELECT conflicts::int FROM pg_stat_database WHERE datname = current_database()",
    );
    expect(row?.conflicts).toBeGreaterThan(0);
  });

  it("of a client with all its connections in use is refused as on the primary, and the replica stays in use", async () => {
    const slow = () => read("SELECT pg_sleep(12)");
    await asReader(async () => {
      Object.assign(currentScope() as RequestScope, { client: "user:1", deadline: PATIENCE });
      const held = times(4, slow); // a client has four, and waits for ten seconds
      await expect(slow()).rejects.toThrow("timeout exceeded when trying to connect");
      await held;
    });
    expect(await stage.areRead()).toEqual([true, true]);
  });

  it("has its viewer's statement timeout and is not retried", async () => {
    const slow = asReader(() => {
      Object.assign(currentScope() as RequestScope, { client: "user:1", deadline: 200 });
      return read("SELECT CASE WHEN pg_is_in_recovery() THEN pg_sleep(60)::text ELSE 'the primary' END");
    });
    await expect(slow).rejects.toThrow(/57014|statement timeout/);
  });

  it("that writes runs on the primary, and so do those that follow", async () => {
    const rows = await asReader(async () => {
      await stage.first.board.database.execute(sql`INSERT INTO tags (name) VALUES ('by_a_reader')`);
      return read("SELECT pg_is_in_recovery() AS recovers FROM tags WHERE name = 'by_a_reader'");
    });
    expect(rows).toEqual([{ recovers: false }]);
  });

  it("is never part of a transaction", async () => {
    const { transact } = stage.first.board;
    const [[row], [next]] = await asReader(
      async () =>
        [
          await transact((db) => db.query<{ recovers: boolean }>(sql`SELECT pg_is_in_recovery() AS recovers`)),
          await read<{ recovers: boolean }>("SELECT pg_is_in_recovery() AS recovers"),
        ] as const,
    );
    expect([row, next]).toEqual([{ recovers: false }, { recovers: false }]);
  });
});

describe.skipIf(noReplicas)(`a write${skip}`, () => {
  it("is seen by its writer, even if all connections of the writer are in use when it is committed", async () => {
    const { board } = stage.first;
    const reader = { viewer: { id: null }, address: "203.0.113.77" };
    await new RequestScope().run(async () => {
      await board.transact((db) => db.execute(sql`INSERT INTO tags (name) VALUES ('by_a_writer')`));
      Object.assign(currentScope() as RequestScope, { client: "user:1", deadline: PATIENCE });
      const slow = times(4, () => read("SELECT pg_sleep(12)"));
      await board.replicas?.wrote(reader);
      await slow;
    });
    expect(await stage.primary.ask("SELECT FROM viewer_writes WHERE viewer LIKE '%203.0.113.77%'")).toHaveLength(1);
  });
});

describe.skipIf(noReplicas)(`a replica that becomes a primary${skip}`, () => {
  const heard: unknown[] = [];
  let events: BoardEvents;
  let refusal: unknown;
  beforeAll(async () => {
    const { board } = stage.first;
    events = new BoardEvents(stage.replica.url, board.log, board.database);
    events.addEventListener("post_changed", (event) => void heard.push(event));
    refusal = await events.listen().catch((error: unknown) => error); // as after a failover, at the address of the primary
    await stage.replica.ask("SELECT pg_promote()");
  });
  afterAll(() => events?.[Symbol.asyncDispose]());

  it("sends events to a process that has connected to it before", async () => {
    expect(String(refusal)).toContain("recovery");
    const event = JSON.stringify({ type: "post_changed", id: 1, about: 1 });
    const send = () => stage.replica.ask(`SELECT pg_notify('graphbooru_events', '${event}')`);
    await expect.poll(() => send().then(() => heard.length)).toBeGreaterThan(0);
  });

  it("is no longer read from", async () => {
    const name = "after_promotion";
    await stage.primary.ask(`INSERT INTO tags (name) VALUES ('${name}')`);
    const found = async (client: Client) =>
      ((await client.get("/tags.json", { search: { name } })).json as unknown[]).length;
    await expect.poll(() => stage.atBoth(stage.visitor(), found)).toEqual([1, 1]);
    for (const { log } of stage.servers)
      expect(log).toContainEqual(expect.objectContaining({ fault: "not a streaming replica" }));
  });
});

describe.skipIf(noReplicas)(`a replica that was ahead of another one when that became the primary${skip}`, () => {
  it("is not read from, even after the new primary has written more than was lost", { timeout: 60_000 }, async () => {
    await using old = await PostgresServer.start();
    await using behind = await old.replicate();
    await using ahead = await old.replicate();
    const position = async (server: PostgresServer, of: string) =>
      Number((await server.ask<{ at: string }>(`SELECT ${of}() - '0/0' AS at`))[0]?.at);
    await behind.kill();
    await old.ask("INSERT INTO tags (name) SELECT 'lost_' || n FROM generate_series(1, 2000) AS n");
    const lost = await position(old, "pg_current_wal_flush_lsn");
    await expect.poll(() => position(ahead, "pg_last_wal_replay_lsn")).toBeGreaterThanOrEqual(lost);
    await old.kill();
    await behind.start();
    await behind.ask("SELECT pg_promote()");
    expect(await position(behind, "pg_current_wal_flush_lsn")).toBeLessThan(lost);

    await using test = await startBoard({ DATABASE_URL: behind.url, DATABASE_REPLICA_URLS: ahead.url });
    const chosen = () => test.board.replicas?.choose({ viewer: { id: null }, address: "203.0.113.9" });
    await expect.poll(chosen).toBe("");
    await behind.ask("INSERT INTO tags (name) SELECT 'kept_' || n FROM generate_series(1, 10000) AS n");
    expect(await position(behind, "pg_current_wal_flush_lsn")).toBeGreaterThan(lost);
    for (const end = performance.now() + 1_000; performance.now() < end; await sleep(50))
      expect(await chosen()).toBe("");
  });
});
