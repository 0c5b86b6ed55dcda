/** Metrics of the parts behind the APIs: database, jobs, uploads, caches and the process. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { Client } from "../support/client.js";
import { holdTable, PATIENCE } from "../support/held-table.js";
import { growth, type Labels, sample } from "../support/metrics.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

describe("the database", () => {
  const general = { server: "primary", pool: "general" };

  it("has connections by pool: open, maximum and waiting", async () => {
    await using small = await startBoard({ DATABASE_CONNECTIONS: "3", ...PATIENCE });
    const of = async (name: string, labels: Labels) =>
      (await sample(small.anonymous)).of(`graphbooru_database_${name}`, labels);
    expect(await of("connections_max", general)).toBe(2);
    expect(await of("connections_max", { server: "primary", pool: "prepared" })).toBe(1);
    const table = await holdTable(small.board.databaseUrl, "users");
    const held = ["a", "b", "c"].map((name) => small.anonymous.get("/users.json", { search: { name } }));
    // the queue of jobs can't be read meanwhile, and is waited for no longer than three seconds
    await expect.poll(() => of("connection_waits", general)).toBeGreaterThan(0);
    await expect.poll(() => of("connections", { ...general, state: "busy" })).toBe(2);
    await table[Symbol.asyncDispose]();
    for (const each of held) expect((await each).status).toBe(200);
    await expect.poll(() => of("connection_waits", general)).toBe(0);
  });

  it("has the time and failures of statements", async () => {
    const { pool } = test.board;
    const timed = "graphbooru_database_statement_duration_seconds_count";
    const work = () => pool.query("SELECT 1 FROM nothing_like_this").catch(() => undefined);
    expect(await growth(test.anonymous, "graphbooru_database_statement_errors_total", general, work)).toBe(1);
    const before = (await sample(test.anonymous)).of(timed, general);
    await pool.query("SELECT 1");
    // the two readings ask for the queue of jobs, once each; the first one's statement was read before it ended
    expect((await sample(test.anonymous)).of(timed, general) - before).toBe(2);
  });

  it("is reported down when unreachable, with all metrics of the process itself", async () => {
    await using lost = await startBoard();
    expect((await sample(lost.anonymous)).of("graphbooru_database_up")).toBe(1);
    const url = new URL(lost.board.databaseUrl);
    const name = url.pathname.slice(1);
    url.pathname = "/postgres";
    await query(url.href, `DROP DATABASE ${name} WITH (FORCE)`);
    const metrics = await sample(lost.anonymous);
    expect(metrics.text).toContain("graphbooru_database_up 0\n");
    expect(metrics.of("graphbooru_processes")).toBe(1);
    expect(metrics.text).not.toContain("graphbooru_queue_jobs{");
    expect(metrics.text).not.toMatch(/^graphbooru_queue_oldest_due_seconds /m);
  });
});

describe("jobs", () => {
  it("are reported by task and state, with the age of the oldest due job", async () => {
    const of = async (state: string) =>
      (await sample(test.anonymous)).of("graphbooru_queue_jobs", { task: "lift_bans", state });
    expect([await of("waiting"), await of("running"), await of("retrying"), await of("parked")]).toEqual([0, 0, 0, 0]);
    expect((await sample(test.anonymous)).of("graphbooru_queue_oldest_due_seconds")).toBe(0);
    await query(
      test.board.databaseUrl,
      "SELECT graphile_worker.add_job('lift_bans', run_at => now() - interval '1 hour')",
    );
    await query(
      test.board.databaseUrl,
      "SELECT graphile_worker.add_job('lift_bans', run_at => now() + interval '1 hour')",
    );
    expect(await of("waiting")).toBe(2);
    const lag = (await sample(test.anonymous)).of("graphbooru_queue_oldest_due_seconds");
    expect(lag).toBeGreaterThanOrEqual(3_600);
    expect(lag).toBeLessThan(4_600);
    await query(test.board.databaseUrl, "UPDATE graphile_worker._private_jobs SET attempts = 1 WHERE run_at < now()");
    expect([await of("waiting"), await of("retrying")]).toEqual([1, 1]);
    await query(
      test.board.databaseUrl,
      "UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE run_at < now()",
    );
    expect([await of("waiting"), await of("retrying"), await of("parked")]).toEqual([1, 0, 1]);
    expect((await sample(test.anonymous)).of("graphbooru_queue_oldest_due_seconds")).toBe(0);
    await query(
      test.board.databaseUrl,
      "UPDATE graphile_worker._private_jobs SET locked_at = now(), attempts = 1 WHERE run_at > now()",
    );
    expect([await of("waiting"), await of("running")]).toEqual([0, 1]);
  });

  it("are counted by result of each attempt, and timed", async () => {
    const began = performance.now();
    await using working = await startBoard({ JOBS: "true" });
    const { anonymous, board } = working;
    const unfailed = 'graphbooru_jobs_total{task="sweep_sessions",outcome="failed"} 0'; // from the start, for rates
    expect((await anonymous.get("/metrics")).text).toContain(unfailed);
    await query(board.databaseUrl, "SELECT graphile_worker.add_job('lift_bans')");
    await query(board.databaseUrl, "SELECT graphile_worker.add_job('recount_tag_category', '{}')");
    const of = async (task: string, outcome: string) =>
      (await sample(anonymous)).of("graphbooru_jobs_total", { task, outcome });
    await expect.poll(() => of("lift_bans", "done")).toBe(1);
    await expect.poll(() => of("recount_tag_category", "failed")).toBe(1); // its payload says no tag
    const metrics = await sample(anonymous);
    expect(metrics.of("graphbooru_job_duration_seconds_count", { task: "lift_bans" })).toBe(1);
    const seconds = metrics.of("graphbooru_job_duration_seconds_sum", { task: "lift_bans" });
    expect(seconds).toBeLessThanOrEqual((performance.now() - began) / 1e3);
    expect(await of("lift_bans", "failed")).toBe(0);
  });
});

describe("uploads, caches and the process", () => {
  it("counts uploads by result", async () => {
    const counted = "graphbooru_uploads_total";
    const uploader = await test.make.user("Contributor");
    const file = await test.make.picture();
    const upload = (more: object) => test.make.upload(uploader, { file, ...more });
    expect(await growth(test.anonymous, counted, { outcome: "completed" }, () => upload({}))).toBe(1);
    expect(await growth(test.anonymous, counted, { outcome: "duplicate" }, () => upload({}))).toBe(1);
    const broken = { file: new Blob(["no picture"]) };
    expect(await growth(test.anonymous, counted, { outcome: "invalid_record" }, () => upload(broken))).toBe(1);
    expect(await growth(test.anonymous, counted, { outcome: "missing_parameter" }, () => upload({ rating: "" }))).toBe(
      1,
    );
  });

  it("counts cached tags", async () => {
    await test.make.post("remembered_tag");
    await test.anonymous.get("/posts.json?tags=-nothing"); // the process knows of the new tags now
    const search = () => test.anonymous.get("/posts.json?tags=remembered_tag");
    const counted = "graphbooru_cache_reads_total";
    expect(await growth(test.anonymous, counted, { cache: "search_tags", outcome: "miss" }, search)).toBe(1);
    expect(await growth(test.anonymous, counted, { cache: "search_tags", outcome: "hit" }, search)).toBe(1);
    const { tagCache, database } = test.board;
    const { id } = await database.tag.findUniqueOrThrow({ where: { name: "remembered_tag" } });
    const generation = await tagCache.currentGeneration();
    const words = () => tagCache.stringsOf([{ tagIds: [id], tagGeneration: generation }]);
    await words();
    expect(await growth(test.anonymous, counted, { cache: "tag_words", outcome: "hit" }, words)).toBe(1);
  });

  it("counts hits and misses of the post cache", async () => {
    const { id } = await test.make.post("remembered_post");
    const search = () => test.anonymous.get("/posts.json?tags=remembered_post");
    const misses = () =>
      growth(test.anonymous, "graphbooru_cache_reads_total", { cache: "posts", outcome: "miss" }, search);
    const hits = () =>
      growth(test.anonymous, "graphbooru_cache_reads_total", { cache: "posts", outcome: "hit" }, search);
    expect(await misses()).toBeGreaterThan(0);
    expect(await hits()).toBe(1);
    const admin = await test.make.user("Admin");
    await admin.client.put(`/posts/${id}.json`, { post: { source: "another" } });
    expect(await misses()).toBeGreaterThan(0);
  });

  it("has the process's memory, CPU time, start and event-loop lag", async () => {
    const metrics = await sample(test.anonymous);
    for (const name of [
      "process_resident_memory_bytes",
      "nodejs_heap_size_used_bytes",
      "nodejs_heap_size_total_bytes",
      "nodejs_external_memory_bytes",
      "process_cpu_seconds_total",
    ])
      expect([name, metrics.of(name) > 0]).toEqual([name, true]);
    expect(metrics.of("process_start_time_seconds")).toBeCloseTo(performance.timeOrigin / 1000, 1);
    expect(metrics.of("graphbooru_processes")).toBe(1);
  });

  it("shows a blocked event loop", async () => {
    await sample(test.anonymous); // begins anew, with the first timer that runs
    await new Promise((resolve) => setTimeout(resolve, 100));
    const until = performance.now() + 300;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 100)); // the request may come before the timer that is late
    const metrics = await sample(test.anonymous);
    expect(metrics.of("nodejs_eventloop_lag_max_seconds")).toBeGreaterThan(0.2);
    expect(metrics.of("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0.2);
    expect(metrics.of("nodejs_eventloop_lag_mean_seconds")).toBeLessThan(
      metrics.of("nodejs_eventloop_lag_max_seconds"),
    );
  });

  it("contains no name, address or secret, whatever was sent", async () => {
    const user = await test.make.user("Member", "MarkedName");
    await user.client.get("/posts.json?tags=marked_tag");
    await test.anonymous.get(`/posts.json?login=MarkedName&api_key=${user.apiKey}`);
    await test.anonymous.post("/session.json", { name: "MarkedName", password: "marked password" });
    await test.anonymous.with({ "x-forwarded-for": "203.0.113.9", "user-agent": "Marked/1.0" }).get("/marked_path");
    const { text } = await sample(test.anonymous);
    expect(text).not.toMatch(/marked|203\.0\.113|127\.0\.0\.1|graphbooru_\d|postgres/i);
    expect(text).not.toContain(user.apiKey);
  });

  it("separates several boards in one process", async () => {
    await using other = await startBoard();
    await test.anonymous.get("/tags.json");
    const metrics = await sample(new Client(other.url));
    expect(metrics.of("graphbooru_http_requests_total", { method: "GET", route: "/tags", status: 200 })).toBe(0);
  });
});
