/** Two servers on one database behind a load balancer, restarted one after the other under load. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Balancer } from "../support/balancer.js";
import { Client } from "../support/client.js";
import { boardCommand } from "../support/command.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { Folder } from "../support/folder.js";
import { Load } from "../support/load.js";
import { ServerProcess } from "../support/server-process.js";

const DRAIN_MS = 1_500;

let database: TestDatabase;
let folder: Folder;
let balancer: Balancer;
let writer: Client;
const servers: ServerProcess[] = [];

async function startServer(): Promise<ServerProcess> {
  const limits = Object.fromEntries(["ANONYMOUS", "MEMBER", "PLATINUM"].map((level) => [`LIMIT_${level}`, "1000000"]));
  const server = await ServerProcess.start(folder.at("data"), {
    ...limits,
    DATABASE_URL: database.url,
    DATABASE_WAIT_MS: "30000", // nobody is turned away, however slow the machine is
    LIMITS_STORE: "postgres",
    DRAIN_MS: String(DRAIN_MS),
  });
  await balancer.join(server.url);
  return server;
}

beforeAll(async () => {
  database = await createDatabase();
  folder = await Folder.make();
  balancer = await Balancer.start();
  for (let count = 0; count < 2; count += 1) servers.push(await startServer());
  const account = ["user", "create", "writer", "a long password", "contributor"];
  const { api_key: apiKey } = await boardCommand<{ api_key: string }>(database.url, ...account);
  writer = new Client(balancer.url, { name: "writer", apiKey });
});
afterAll(async () => {
  for (const server of servers) await server.end("SIGKILL");
  await balancer?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
  await database?.drop();
});

async function withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe("SIGTERM of one server after the other, behind a load balancer that checks /readyz", () => {
  it("under load: every request gets 200, and all acknowledged writes are there", async () => {
    const load = await Load.begin(writer);
    for (const [index, server] of [...servers].entries()) {
      const end = server.end("SIGTERM");
      await expect.poll(() => balancer.uses(server.url)).toBe(false);
      expect(await end).toBe(0);
      servers[index] = await startServer();
      await load.round();
    }
    expect(await withDatabase((client) => load.stop(client))).toEqual([]);
    expect(load.faults).toEqual([]);
  });
});

describe("SIGTERM", () => {
  it("turns /readyz to 503 immediately, while everything else is served for DRAIN_MS with `Connection: close`", async () => {
    const server = servers[0] as ServerProcess;
    const client = new Client(server.url);
    const before = await client.get("/posts.json");
    expect([before.status, before.headers.get("connection")]).toEqual([200, "keep-alive"]);
    const began = Date.now();
    const end = server.end("SIGTERM");
    await expect.poll(async () => (await client.get("/readyz")).status, { interval: 20 }).toBe(503);
    const [ready, healthy, posts] = [
      await client.get("/readyz"),
      await client.get("/healthz"),
      await client.get("/posts.json"),
    ];
    expect([ready.json, ready.headers.get("retry-after")]).toEqual([{ status: "stopping" }, "5"]);
    expect([healthy.status, posts.status, posts.headers.get("connection")]).toEqual([200, 200, "close"]);
    expect(await end).toBe(0);
    expect(Date.now() - began).toBeGreaterThanOrEqual(DRAIN_MS);
  });
});

describe("SIGINT", () => {
  it("does not wait for load balancers", async () => {
    const server = await ServerProcess.start(folder.at("alone"), { DATABASE_URL: database.url, DRAIN_MS: "300000" });
    expect(await server.end("SIGINT")).toBe(0);
  });
});
