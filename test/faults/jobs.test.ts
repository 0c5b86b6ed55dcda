/** A job that always fails is retried with growing delays, then parked for the operator, and does not block other jobs. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { approve, statusOf, tagsOf } from "../support/jobs.js";
import { boardCommand, runBoardCommand } from "../support/command.js";
import { ServerProcess } from "../support/server-process.js";

let test: TestBoard;
let admin: TestUser;
let client: pg.Client;
beforeAll(async () => {
  test = await startBoard({ JOBS: "true" });
  admin = await test.make.user("Admin");
  client = new pg.Client({ connectionString: test.board.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await test[Symbol.asyncDispose]();
});

interface Job {
  id: number;
  task: string;
  attempts: number;
  max_attempts: number;
  last_error: string;
  is_parked: boolean;
}

/** What `board jobs list` prints of failing jobs. */
const listed = (): Promise<Job[]> => boardCommand<Job[]>(test.board.databaseUrl, "jobs", "list");

/** The jobs of a task as they wait: tries so far, and seconds until the next. */
async function waiting(task: string) {
  const { rows } = await client.query<{ id: number; attempts: number; wait: number; is_locked: boolean }>(
    `SELECT id::int, attempts, extract(epoch FROM run_at - updated_at)::float AS wait, locked_at IS NOT NULL AS is_locked
       FROM graphile_worker.jobs WHERE task_identifier = $1`,
    [task],
  );
  return rows[0];
}

const runNow = (task: string) =>
  client.query(
    `SELECT graphile_worker.reschedule_jobs(ARRAY(SELECT id FROM graphile_worker.jobs WHERE task_identifier = $1), now())`,
    [task],
  );

/** Goes through all tries of a job. @returns the seconds that it waited after each */
async function exhaust(task: string, tries: number): Promise<number[]> {
  const waits: number[] = [];
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    await expect.poll(() => waiting(task)).toMatchObject({ attempts: attempt, is_locked: false });
    waits.push((await waiting(task))?.wait ?? 0);
    if (attempt < tries) await runNow(task);
  }
  return waits;
}

describe("an alias that can't be applied to one of its posts", () => {
  let id: number;
  const posts: number[] = [];

  it("is tried five times, with growing delays", async () => {
    for (let count = 0; count < 3; count += 1) posts.push((await test.make.post("cursed")).id);
    await client.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON posts FOR EACH ROW WHEN (OLD.id = ${posts[1]}) EXECUTE FUNCTION refuse()`);
    id = await approve(admin, "Alias", "cursed", "blessed");
    const waits = await exhaust("apply_tag_relation", 5);
    for (const [index, wait] of waits.entries()) expect(wait).toBeCloseTo(Math.exp(index + 1), -1);
    expect(waits[3]).toBeGreaterThan(40);
  });

  it("is then parked, which its status and `board jobs list` show", async () => {
    expect(await statusOf(test, "Alias", id)).toBe("error: could not be applied");
    expect(await listed()).toEqual([
      expect.objectContaining({
        task: "apply_tag_relation",
        attempts: 5,
        max_attempts: 5,
        is_parked: true,
        last_error: expect.stringContaining("no") as string,
      }),
    ]);
    expect(test.log.filter(({ level }) => level === 50).length).toBeGreaterThan(0);
    expect(await tagsOf(test, posts)).toEqual(["blessed lowres", "cursed lowres", "cursed lowres"]);
  });

  it("does not block other jobs", async () => {
    const post = await test.make.post("spell");
    const other = await approve(admin, "Alias", "spell", "charm");
    await expect.poll(() => statusOf(test, "Alias", other)).toBe("active");
    expect(await tagsOf(test, [post.id])).toEqual(["charm lowres"]);
  });

  it("is applied when it is approved again after the cause was fixed", async () => {
    await client.query("DROP TRIGGER refuse ON posts");
    await admin.client.graphql(
      `mutation($input: TagRelationInput!) { approveTagAlias(input: $input) { tagAlias { id } } }`,
      { input: { id } },
    );
    await expect.poll(() => statusOf(test, "Alias", id)).toBe("active");
    expect(await tagsOf(test, posts)).toEqual(posts.map(() => "blessed lowres"));
    expect(await listed()).toEqual([]);
  });
});

describe("an alias job during an outage of the database", () => {
  it("is tried again every minute, however often it has failed, and is not parked", async () => {
    const post = await test.make.post("stuck");
    await client.query(`
      CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE UPDATE ON posts FOR EACH ROW WHEN (OLD.id = ${post.id}) EXECUTE FUNCTION full_disk()`);
    const id = await approve(admin, "Alias", "stuck", "loose");
    await expect.poll(async () => (await listed())[0]).toMatchObject({ attempts: 0, is_parked: false });
    await client.query(
      "UPDATE graphile_worker._private_jobs SET attempts = max_attempts - 1 WHERE last_error IS NOT NULL",
    );
    await runNow("apply_tag_relation");
    await expect.poll(async () => (await waiting("apply_tag_relation"))?.wait).toBeGreaterThan(100);
    expect((await waiting("apply_tag_relation"))?.wait).toBeLessThan(200); // a minute, and the queue's own delay after four attempts
    expect(await waiting("apply_tag_relation")).toMatchObject({ attempts: 4, is_locked: false });
    expect(await statusOf(test, "Alias", id)).toBe("processing");
    await client.query("DROP TRIGGER full_disk ON posts");
    await runNow("apply_tag_relation");
    await expect.poll(() => statusOf(test, "Alias", id)).toBe("active");
    expect(await tagsOf(test, [post.id])).toEqual(["loose lowres"]);
  });
});

describe("board alias create", () => {
  it.each(["queued", "processing", "error: could not be applied"])(
    "applies the same alias that is %s, as an interrupted command leaves it",
    async (status) => {
      const [from, to] = [`half_${status.slice(0, 5)}`, `whole_${status.slice(0, 5)}`];
      const post = await test.make.post(from);
      await client.query(
        `INSERT INTO tag_aliases (antecedent_name, consequent_name, creator_id, approver_id, status, updated_at)
         VALUES ($1, $2, $3, $3, $4, now())`,
        [from, to, admin.id, status],
      );
      const other = { code: 1, stdout: "", stderr: "already exists\n" };
      expect(await runBoardCommand(test.board, ["alias", "create", from, "other"])).toEqual(other);
      expect(await boardCommand(test.board.databaseUrl, "alias", "create", from, to)).toMatchObject({
        status: "active",
      });
      expect(await tagsOf(test, [post.id])).toEqual([`lowres ${to}`]);
      expect(await runBoardCommand(test.board, ["alias", "create", from, to])).toEqual(other);
    },
  );
});

describe("board jobs retry", () => {
  it("retries parked jobs", async () => {
    await client.query("SELECT graphile_worker.add_job('recount_tag_category', '{}', max_attempts => 1)");
    await exhaust("recount_tag_category", 1);
    const [job] = await listed();
    expect(job).toMatchObject({ task: "recount_tag_category", attempts: 1, is_parked: true });
    expect(await boardCommand(test.board.databaseUrl, "jobs", "retry", String(job?.id))).toEqual({ retried: 1 });
    // still without its payload, so that it fails again, and is parked again
    await expect.poll(async () => (await listed())[0]).toMatchObject({ id: job?.id, attempts: 1, is_parked: true });
  });

  it("applies an alias that could not be applied", async () => {
    const post = await test.make.post("broken");
    const { rows } = await client.query<{ alias: number; job: string }>(
      `WITH a AS (INSERT INTO tag_aliases (antecedent_name, consequent_name, creator_id, approver_id, status, updated_at)
         VALUES ('broken', 'mended', $1, $1, 'error: could not be applied', now()) RETURNING id)
       SELECT a.id AS alias, (graphile_worker.add_job('apply_tag_relation', json_build_object('kind', 'alias', 'id', a.id),
         run_at => now() + interval '1 hour')).id AS job FROM a`,
      [admin.id],
    );
    const { alias = 0, job = "" } = rows[0] ?? {};
    expect(await boardCommand(test.board.databaseUrl, "jobs", "retry", job)).toEqual({ retried: 1 });
    await expect.poll(() => statusOf(test, "Alias", alias)).toBe("active");
    expect(await tagsOf(test, [post.id])).toEqual(["lowres mended"]);
  });

  it("names ids that don't exist, and exits with 1", async () => {
    expect(await runBoardCommand(test.board, ["jobs", "retry", "999999"])).toEqual({
      code: 1,
      stdout: '{"retried":0}\n',
      stderr: "Not retried, since they don't exist or are running: 999999.\n",
    });
  });

  it("refuses an invalid id with a message", async () => {
    const { code, stderr } = await runBoardCommand(test.board, ["jobs", "retry", "7", "seven"]);
    expect([code, stderr.split("\n")[0]]).toEqual([
      1,
      "error: command-argument value 'seven' is invalid for argument 'id'. must be the id of a job.",
    ]);
  });
});

describe("a job whose server is killed at each attempt", () => {
  it("does not count as failed", { timeout: 120_000 }, async () => {
    const settings = { DATABASE_URL: test.board.databaseUrl, LOG_LEVEL: "warn" };
    // as such a server leaves it: at its last try, locked by a worker that is not registered
    await client.query(`INSERT INTO graphile_worker._private_jobs (task_id, attempts, max_attempts, locked_at, locked_by)
      SELECT id, 3, 3, now(), 'a worker that was killed' FROM graphile_worker._private_tasks WHERE identifier = 'sweep_limits'`);
    await using _server = await ServerProcess.start(undefined, settings); // releases orphaned jobs
    await expect.poll(() => waiting("sweep_limits")).toBeUndefined();
  });
});
