/** SIGHUP: the processes of a server are replaced under load without a failed request. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Client } from "../support/client.js";
import { Folder } from "../support/folder.js";
import { Ledger } from "../support/ledger.js";
import { Load } from "../support/load.js";
import { OwnServer } from "../support/own-server.js";
import { isAlive, workers } from "../support/processes.js";
import { RawClient } from "../support/raw-client.js";
import { Releases } from "../support/releases.js";
import { SteadyClient } from "../support/steady-client.js";

const PROCESSES = 2;
const UPGRADE = { name: "20990101000000_a_later_version", sql: `ALTER TABLE posts ADD COLUMN later int DEFAULT 1` };

let folder: Folder;
let releases: Releases;
let server: OwnServer;
let writer: Client;
beforeAll(async () => {
  folder = await Folder.make();
  releases = await Releases.make();
  const settings = {
    WORKERS: String(PROCESSES),
    DRAIN_MS: "5000", // so long may a client be held up on a busy machine
    DATABASE_WAIT_MS: "30000", // nobody is turned away, however slow the machine is
    LOG_LEVEL: "info",
    ENV_FILE: await folder.write("settings", "# none yet\n"),
  };
  server = await OwnServer.start(settings, releases.current);
  writer = closing(await server.account("writer", "contributor"));
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await releases?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

/** Keeps no connection open, which an old process would wait for. */
const closing = (client: Client): Client => client.with({ connection: "close" });
const visitor = (): Client => closing(server.anonymous);
const serving = (): number[] => workers(server.process.pid).toSorted();
const logged = (message: string): number => server.process.messages.filter((line) => line === message).length;

/** Sends SIGHUP and waits until the log tells how it went. */
async function reload(outcome = "reloaded"): Promise<void> {
  const before = logged(outcome);
  process.kill(server.process.pid, "SIGHUP");
  await expect.poll(() => logged(outcome), { timeout: 90_000 }).toBe(before + 1);
}

const readiness = async (): Promise<unknown> => (await visitor().get("/readyz")).json;

describe("SIGHUP with WORKERS=2", () => {
  it("replaces all processes under load: every request gets 200, and all acknowledged writes are there", async () => {
    const before = serving();
    const load = await Load.begin(writer);
    await reload();
    await load.round(3);
    const after = serving();
    expect(load.faults).toEqual([]);
    expect(await server.withDatabase((database) => load.stop(database))).toEqual([]);
    expect(load.faults).toEqual([]);
    expect(before).toHaveLength(PROCESSES);
    expect(after).toHaveLength(PROCESSES);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    await expect.poll(() => before.filter(isAlive)).toEqual([]);
    expect(load.connections).toBeGreaterThan(load.answers.length); // they were served by the old ones, and then by the new
    expect(server.faults).toEqual([]);
  });

  it("runs the newly deployed release and its migrations under load", async () => {
    expect(await readiness()).toEqual({ status: "ok" });
    const migratedBefore = logged("database migrated");
    const load = await Load.begin(writer);
    await releases.next();
    await releases.change("dist/chunks/server.js", `status: "ok"`, `status: "ok, and newer"`);
    await releases.migration(UPGRADE.name, UPGRADE.sql);
    await releases.deploy();
    await reload();
    await load.round(3);
    expect(await server.withDatabase((database) => load.stop(database))).toEqual([]);
    expect(load.faults).toEqual([]);
    const { rows } = await server.withDatabase((database) => database.query("SELECT later FROM posts GROUP BY later"));
    expect(rows).toEqual([{ later: 1 }]);
    expect(logged("database migrated") - migratedBefore).toBe(1); // though two processes began
    expect((await visitor().get("/healthz")).json).toEqual({ status: "ok, and newer" });
  });

  it("returns to the previous release on the newer tables", async () => {
    await releases.deploy(1);
    await reload();
    expect((await visitor().get("/healthz")).json).toEqual({ status: "ok" });
    expect(await Ledger.numbered(writer, 7_000_000).upload("back")).toBeGreaterThan(0);
  });

  it("reads the current settings of ENV_FILE", async () => {
    const timing = async () => (await visitor().get("/tags.json")).headers.has("server-timing");
    expect(await timing()).toBe(false);
    await folder.write("settings", `SERVER_TIMING=true\n`);
    await reload();
    expect(await timing()).toBe(true);
  });

  it("is abandoned without any change when the settings are invalid", async () => {
    const before = serving();
    await folder.write("settings", `MAX_PAGE=many\n`);
    await reload("the reload was abandoned");
    const line = server.process.output.findLast((each) => each.includes("the reload was abandoned"));
    expect(JSON.parse(line ?? "")).toMatchObject({ reason: expect.stringContaining("MAX_PAGE") as string });
    expect(serving()).toEqual(before);
    expect((await visitor().get("/tags.json")).status).toBe(200);
  });

  it("is abandoned, and the old processes keep serving, when the new one can't start", async () => {
    const before = serving();
    await folder.write("settings", `HOST=203.0.113.1\n`);
    await reload("the reload was abandoned");
    await expect.poll(serving).toEqual(before);
    expect((await visitor().get("/tags.json")).status).toBe(200);
    await folder.write("settings", "");
    await reload();
    expect(serving().filter((pid) => before.includes(pid))).toEqual([]);
  });

  it("lets an upload in progress finish", async () => {
    const body = JSON.stringify({ post: { tag_string: "slow" } });
    const post = await Ledger.numbered(writer, 8_000_000).upload("quick");
    const login = Buffer.from(`${writer.login?.name}:${writer.login?.apiKey}`).toString("base64");
    using client = await RawClient.connect(server.process.url);
    client.say(
      `PUT /posts/${post}.json HTTP/1.1\r\nHost: board\r\nAuthorization: Basic ${login}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    const reloaded = reload();
    const left = () => server.process.messages.filter((line) => line === "stopping").length;
    const stopping = left();
    await expect.poll(left).toBeGreaterThan(stopping);
    client.say(body.slice(10));
    await expect.poll(() => client.status).toBe(200);
    await reloaded;
    expect((await visitor().get(`/posts/${post}.json`)).json).toMatchObject({ tag_string: "lowres slow" });
  });

  it("closes an idle connection, whose client's next request is served on another", async () => {
    using idle = new SteadyClient(server.process.url);
    await idle.get("/tags.json");
    await reload();
    await idle.get("/tags.json");
    expect(idle.faults).toEqual([]);
    expect(idle.connections).toBe(2);
  });

  it("lets subscriptions continue at the new processes", async () => {
    const client = createClient({
      url: `${server.process.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      retryWait: () => Promise.resolve(),
    });
    const events = client.iterate<{ postCreated: { id: number } }>({ query: "subscription { postCreated { id } }" });
    const heard: number[] = [];
    void (async () => {
      for await (const { data } of events) heard.push(data?.postCreated.id ?? 0);
    })();
    const ledger = Ledger.numbered(writer, 9_000_000);
    // the protocol does not acknowledge a subscription: posts are made until it hears
    const hears = async () => heard.includes(await ledger.upload("heard"));
    await expect.poll(hears, { interval: 200 }).toBe(true);
    await reload();
    await expect.poll(hears, { interval: 200 }).toBe(true);
    await client.dispose();
  });

  it("is not needed for a process that hangs, which is replaced after a minute", async () => {
    const [hanging = 0, other] = serving();
    process.kill(hanging, "SIGSTOP");
    await expect.poll(() => logged("a server process does not respond; it is killed"), { timeout: 120_000 }).toBe(1);
    await expect.poll(() => serving().length, { timeout: 60_000 }).toBe(PROCESSES);
    expect([serving().includes(hanging), serving().includes(other ?? 0)]).toEqual([false, true]);
  }, 200_000);

  it("and SIGTERM leave no process behind", async () => {
    process.kill(server.process.pid, "SIGHUP");
    await expect.poll(() => serving().length).toBe(PROCESSES + 1); // the first successor is there
    const all = serving();
    expect(await server.process.end("SIGTERM")).toBe(0);
    expect(all.filter(isAlive)).toEqual([]);
    expect(server.process.messages).not.toContain("a server process could not start");
  });
});

describe("SIGHUP with one process", () => {
  it("does nothing while it starts", async () => {
    await using home = await Folder.make();
    await chmod(home.path, 0o711); // the database's user has to enter it
    const child = spawn("node", ["dist/src/main.js"], {
      env: { ...process.env, DATA_DIR: home.at("data"), PORT: "0", LOG_LEVEL: "info" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    try {
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
      await expect.poll(() => output).toContain("database migrated");
      child.kill("SIGHUP");
      await expect.poll(() => output).toContain("Graphbooru is up.");
    } finally {
      child.kill("SIGTERM");
    }
    expect(await ended).toEqual([0, null]);
  });

  it("only logs that it does nothing", async () => {
    const alone = await OwnServer.start({ LOG_LEVEL: "info" });
    try {
      process.kill(alone.process.pid, "SIGHUP");
      const message = "a reload (SIGHUP) takes WORKERS=2 or more; nothing is done";
      await expect.poll(() => alone.process.messages).toContain(message);
      expect((await alone.anonymous.get("/readyz")).status).toBe(200);
    } finally {
      await alone[Symbol.asyncDispose]();
    }
  });
});
