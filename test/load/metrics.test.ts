/** `/metrics` of the built server with `WORKERS=2`: either process responds for both. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../support/client.js";
import { type Labels, sample } from "../support/metrics.js";
import { answeredBy, times, workers } from "../support/processes.js";
import { ServerProcess } from "../support/server-process.js";

let server: ServerProcess;
/** each request on a connection of its own, which go to the processes by turns */
let client: Client;
beforeAll(async () => {
  server = await ServerProcess.start(undefined, { WORKERS: "2", DATABASE_WAIT_MS: "30000" });
  client = new Client(server.url, undefined, { connection: "close" });
}, 120_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const TAGS: Labels = { method: "GET", route: "/tags", status: 200 };
const counted = async (labels: Labels): Promise<number> =>
  (await sample(client)).of("graphbooru_http_requests_total", labels);

describe("GET /metrics with WORKERS=2", () => {
  it("is the sum of both processes in every response", async () => {
    const answers = await times(20, () => client.get("/tags.json"));
    expect(await answeredBy(server, answers)).toHaveLength(2);
    await expect.poll(() => counted(TAGS)).toBe(20);
    for (let reading = 0; reading < 4; reading += 1) {
      const metrics = await sample(client);
      expect(metrics.of("graphbooru_http_requests_total", TAGS)).toBe(20);
      expect(metrics.of("graphbooru_http_request_duration_seconds_count", TAGS)).toBe(20);
      expect(metrics.of("graphbooru_http_request_duration_seconds_bucket", { ...TAGS, le: "+Inf" })).toBe(20);
      expect(metrics.of("graphbooru_processes")).toBe(2);
      // each has half of the twenty connections, and a third of its half is for prepared statements, one of them for small reads
      expect(metrics.of("graphbooru_database_connections_max", { server: "primary", pool: "general" })).toBe(14);
      expect(metrics.of("graphbooru_database_connections_max", { server: "primary", pool: "prepared" })).toBe(4);
      expect(metrics.of("graphbooru_database_connections_max", { server: "primary", pool: "shared" })).toBe(2);
    }
  });

  it("counts database values once", async () => {
    const { text } = await sample(client);
    expect(text.match(/^graphbooru_database_up 1$/gm)).toHaveLength(1);
    expect(text.match(/^graphbooru_queue_jobs\{task="lift_bans",state="parked"\} 0$/gm)).toHaveLength(1);
  });

  it("returns the same to concurrent requests", async () => {
    const before = await counted(TAGS);
    const metrics = await times(10, () => counted(TAGS));
    expect(metrics).toEqual(Array.from({ length: 10 }, () => before));
  });

  it("keeps the counts of a killed process in the sum", async () => {
    const before = await counted(TAGS);
    const [victim] = workers(server.pid);
    process.kill(victim as number, "SIGKILL");
    // no connection is handed to it any more when that is logged
    await expect.poll(() => server.output.filter((line) => line.includes("a server process ended")).length).toBe(1);
    expect(await counted(TAGS)).toBe(before);
    await expect.poll(async () => (await sample(client)).of("graphbooru_processes"), { timeout: 60_000 }).toBe(2);
    await times(4, () => client.get("/tags.json"));
    await expect.poll(() => counted(TAGS)).toBe(before + 4);
  }, 120_000);

  it("keeps the counts of all processes when they are replaced", async () => {
    const before = await counted(TAGS);
    const replaced = new Set(workers(server.pid));
    await times(6, () => client.get("/tags.json"));
    process.kill(server.pid, "SIGHUP");
    const left = () => workers(server.pid).filter((pid) => replaced.has(pid)).length;
    await expect.poll(left, { timeout: 90_000 }).toBe(0);
    await expect.poll(async () => (await sample(client)).of("graphbooru_processes"), { timeout: 30_000 }).toBe(2);
    expect(await counted(TAGS)).toBe(before + 6);
  }, 150_000);

  it("responds while a process hangs, with its last report", async () => {
    const before = await counted(TAGS);
    const [frozen, ...others] = workers(server.pid);
    process.kill(frozen as number, "SIGSTOP");
    try {
      expect(others).toHaveLength(1);
      // connections go by turns, so one of two comes to the process that works
      const metrics = await Promise.any([0, 1].map(() => counted(TAGS)));
      expect(metrics).toBe(before);
    } finally {
      process.kill(frozen as number, "SIGCONT");
    }
  });
});
