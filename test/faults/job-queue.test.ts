/** The connection to the database breaks while a job runs, so that its result can't be written: the queue goes on afterwards. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrateQueue, startJobs } from "../../src/runtime/jobs/queue.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { Gate } from "../support/gate.js";

const log = createLog("silent");

let database: TestDatabase;
let gate: Gate;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  await migrateQueue(database.url, log);
  gate = await Gate.open(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await gate[Symbol.asyncDispose]();
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

describe("a job that ends while the database is away", () => {
  it.each([
    ["succeeds", idle],
    ["fails", () => Promise.reject(new Error("no"))],
  ])("and %s is run again, and others run", { timeout: 60_000 }, async (_, result) => {
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
    const worker = await startJobs(gate.url, tasks, log);
    await add("interrupted");
    await isRunning;
    await gate.cut();
    end();
    await new Promise((resolve) => setTimeout(resolve, 500)); // the result is written to nowhere
    await gate.open();
    await add("next");
    await expect.poll(() => [...runs].sort(), { timeout: 30_000 }).toEqual(["interrupted", "interrupted", "next"]);
    await worker[Symbol.asyncDispose]();
    const { rows } = await client.query(
      "SELECT FROM graphile_worker.jobs WHERE task_identifier IN ('interrupted', 'next')",
    );
    expect(rows).toEqual([]);
  });
});
