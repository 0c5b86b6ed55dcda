/** The connection to the database breaks while a job runs, so that its result can't be written: the queue continues afterwards. */
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { LOCKS } from "../../src/database/lock.js";
import { migrateQueue, startJobs } from "../../src/runtime/jobs/queue.js";
import { WorkerRegistry } from "../../src/runtime/jobs/worker-registry.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { CutProxy } from "../support/cut-proxy.js";

const log = createLog("silent");

let database: TestDatabase;
let proxy: CutProxy;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  await migrateQueue(database.url, log);
  proxy = await CutProxy.open(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await proxy[Symbol.asyncDispose]();
  await database.drop();
});

const add = (task: string) => client.query("SELECT graphile_worker.add_job($1)", [task]);

const idle = () => Promise.resolve();
/** What the schedule may start. */
const SCHEDULED = Object.fromEntries(
  ["expire_posts", "lift_bans", "sweep_limits", "make_thumbnails", "make_postings", "sweep_sessions"].map((task) => [
    task,
    idle,
  ]),
);

describe("a job that ends while the database is unavailable", () => {
  it.each([
    ["succeeds", idle],
    ["fails", () => Promise.reject(new Error("no"))],
  ])("and %s is run again; others run too", { timeout: 60_000 }, async (_, result) => {
    const runs: string[] = [];
    let begun: () => void = () => undefined;
    let end: () => void = () => undefined;
    const isRunning = new Promise<void>((resolve) => (begun = resolve));
    const mayEnd = new Promise<void>((resolve) => (end = resolve));
    const tasks = {
      ...SCHEDULED,
      interrupted: async () => {
        runs.push("interrupted");
        if (runs.length > 1) return;
        begun();
        await mayEnd;
        await result();
      },
      next: () => Promise.resolve(void runs.push("next")),
    };
    const worker = await startJobs(proxy.url, tasks, log);
    await add("interrupted");
    await isRunning;
    await proxy.cut();
    end();
    await new Promise((resolve) => setTimeout(resolve, 500)); // the result is written to nowhere
    await proxy.open();
    await add("next");
    await expect.poll(() => [...runs].sort(), { timeout: 30_000 }).toEqual(["interrupted", "interrupted", "next"]);
    await worker[Symbol.asyncDispose]();
    const { rows } = await client.query(
      "SELECT FROM graphile_worker.jobs WHERE task_identifier IN ('interrupted', 'next')",
    );
    expect(rows).toEqual([]);
  });
});

describe("a job that is added after all connections were lost unnoticed", () => {
  it("is run within a minute", { timeout: 120_000 }, async () => {
    const runs = vi.fn<() => Promise<void>>(idle);
    const worker = await startJobs(proxy.url, { ...SCHEDULED, first: idle, second: runs }, log);
    const left = async (task: string) =>
      (await client.query("SELECT FROM graphile_worker.jobs WHERE task_identifier = $1", [task])).rowCount;
    await add("first");
    await expect.poll(() => left("first"), { timeout: 10_000 }).toBe(0);
    const connections = await client.query<{ port: number }>(
      "SELECT client_port AS port FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'graphbooru jobs'",
    );
    for (const { port } of connections.rows) proxy.forget(port);
    await add("second");
    await expect.poll(() => runs.mock.calls.length, { timeout: 60_000 }).toBe(1);
    await worker[Symbol.asyncDispose]();
  });
});

describe("the connection that listens for new jobs", () => {
  it("is found to be dead within a minute: TCP keep-alive probes start after ten seconds", async () => {
    const worker = await startJobs(proxy.url, SCHEDULED, log);
    const port = Number(new URL(proxy.url).port).toString(16).toUpperCase().padStart(4, "0");
    /** Seconds until the next probe of each connection, by the kernel's table; infinite without one. */
    const probes = async () =>
      [
        ...(await readFile("/proc/net/tcp", "latin1")).matchAll(new RegExp(`:${port} 01 \\S+ (\\d\\d):(\\S+)`, "g")),
      ].map(([, kind, ticks = ""]) => (kind === "02" ? Number.parseInt(ticks, 16) / 100 : Number.POSITIVE_INFINITY));
    await expect.poll(async () => (await probes()).length).toBeGreaterThanOrEqual(2);
    await expect.poll(async () => Math.max(...(await probes()))).toBeLessThanOrEqual(10);
    await worker[Symbol.asyncDispose]();
  });
});

describe("a queue whose schedule can't be read", () => {
  const CRONTABS = "graphile_worker._private_known_crontabs";
  afterEach(async () => {
    vi.useRealTimers();
    await client.query(`ALTER TABLE ${CRONTABS}_away RENAME TO _private_known_crontabs`);
  });

  it("is stopped without waiting for the next attempt, which may be a minute away", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }); // that minute never ends
    await client.query(`ALTER TABLE ${CRONTABS} RENAME TO _private_known_crontabs_away`);
    const error = vi.spyOn(log, "error");
    const worker = await startJobs(proxy.url, SCHEDULED, log);
    await expect.poll(() => error.mock.calls.map(String).join()).toContain("Cron hit an error");
    await worker[Symbol.asyncDispose]();
  });
});

/** The connections that have a worker's lock, or wait for one. */
async function lockers(isGranted: boolean) {
  const { rows } = await client.query<{ port: number; pid: number }>(
    `SELECT a.client_port AS port, pid FROM pg_stat_activity a JOIN pg_locks l USING (pid)
      WHERE l.locktype = 'advisory' AND l.classid = ${LOCKS.worker} AND a.datname = current_database() AND granted = $1`,
    [isGranted],
  );
  return rows;
}
const holders = () => lockers(true);

describe("a worker whose lock could not be taken", () => {
  const NAME = [LOCKS.worker, "pool-of-the-test"];
  it.each([
    [
      "as the database was unavailable",
      async (register: () => Promise<void>) => {
        await proxy.cut();
        await expect(register()).rejects.toThrow(/terminated|ECONN/);
        await proxy.open();
      },
    ],
    [
      "as its statement was canceled",
      async (register: () => Promise<void>) => {
        await client.query("SELECT pg_advisory_lock($1, hashtext($2))", NAME);
        const refused = register().catch(String);
        await expect.poll(() => lockers(false)).toHaveLength(1);
        for (const { pid } of await lockers(false)) await client.query("SELECT pg_cancel_backend($1)", [pid]);
        expect(await refused).toContain("canceling statement");
        await client.query("SELECT pg_advisory_unlock($1, hashtext($2))", NAME);
      },
    ],
  ])("%s, takes it soon", async (_, refuse) => {
    const pool = new pg.Pool({ connectionString: proxy.url });
    pool.on("error", () => undefined);
    const registry = new WorkerRegistry(pool, log);
    await refuse(() => registry.register("pool-of-the-test"));
    await expect.poll(holders).toHaveLength(1);
    await registry[Symbol.asyncDispose]();
    await pool.end();
    await expect.poll(holders).toEqual([]);
  });
});

describe("a job whose worker loses the connection that holds its lock", () => {
  /** A worker that runs a job until `end`, and the connection that has its lock. */
  async function beginLong() {
    const begun = vi.fn<() => void>();
    let end: () => void = () => undefined;
    const mayEnd = new Promise<void>((resolve) => (end = resolve));
    const long = () => {
      begun();
      return mayEnd;
    };
    const tasks = { ...SCHEDULED, long };
    const worker = await startJobs(proxy.url, tasks, log);
    await add("long");
    const runs = () => begun.mock.calls.length;
    await expect.poll(runs).toBe(1);
    const [held] = await holders();
    return { worker, tasks, runs, end, held };
  }
  afterEach(() => void vi.useRealTimers());

  it("is not run twice if the loss goes unnoticed; the worker takes the lock again", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }); // of the minute
    const { worker, runs, end, held } = await beginLong();
    proxy.forget(held?.port ?? 0);
    await expect.poll(holders).toEqual([]);
    vi.advanceTimersByTime(60_000);
    await new Promise((resolve) => setTimeout(resolve, 5_000)); // the queue looks for jobs every two seconds
    expect(runs()).toBe(1);
    await expect
      .poll(() => {
        vi.advanceTimersByTime(60_000);
        return holders();
      })
      .toHaveLength(1);
    expect(runs()).toBe(1);
    end();
    await worker[Symbol.asyncDispose]();
  });

  it("is not run twice by a server that starts soon after", async () => {
    const { worker, tasks, runs, end, held } = await beginLong();
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_port = $1", [held?.port]);
    await expect.poll(async () => (await holders()).filter(({ port }) => port !== held?.port)).toHaveLength(1);
    const other = await startJobs(proxy.url, tasks, log);
    await new Promise((resolve) => setTimeout(resolve, 5_000)); // the queue looks for jobs every two seconds
    expect(runs()).toBe(1);
    end();
    await Promise.all([worker, other].map((each) => each[Symbol.asyncDispose]()));
  });
});
