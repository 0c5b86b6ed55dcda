/** The built server with `WORKERS=2`: two processes on one port, which behave as one. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { createClient, type Client as Subscriber } from "graphql-ws";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type EmbeddedDatabase, openEmbedded } from "../../src/database/embedded.js";
import { findPostmaster } from "../../src/database/embedded/postmaster.js";
import { discard } from "../support/clusters.js";
import { type Answer, Client } from "../support/client.js";
import { Folder } from "../support/folder.js";
import { jpeg } from "../support/pictures.js";
import { answeredBy, isAlive, tally, times, workers } from "../support/processes.js";
import { ServerProcess } from "../support/server-process.js";
import { cookieOf } from "../support/session.js";

const run = promisify(execFile);
const PASSWORD = "a long password";
const SETTINGS = {
  WORKERS: "2",
  DATABASE_WAIT_MS: "30000", // nobody is turned away, however slow the machine is
  TRUST_PROXY: "1",
  LIMIT_ANONYMOUS: "40",
  LOGIN_ATTEMPTS_PER_HOUR: "6",
  ACCOUNTS_PER_HOUR: "3",
};

let folder: Folder;
let dataDir: string;
let server: ServerProcess;
let embedded: EmbeddedDatabase;
let database: pg.Client;
/** requests of a Contributor, each on a connection of its own */
let poster: Client;
beforeAll(async () => {
  folder = await Folder.make();
  await chmod(folder.path, 0o711); // the database's user has to enter it
  dataDir = folder.at("data");
  server = await ServerProcess.start(dataDir, SETTINGS);
  embedded = await openEmbedded({ dataDir });
  database = new pg.Client({ connectionString: embedded.url });
  await database.connect();
  const args = ["dist/src/cli.js", "user", "create", "poster", PASSWORD, "contributor"];
  const { stdout } = await run("node", args, { env: server.env });
  const { api_key: apiKey } = JSON.parse(stdout) as { api_key: string };
  poster = new Client(server.url, { name: "poster", apiKey }, { connection: "close" });
}, 120_000);
afterAll(async () => {
  await database?.end();
  await embedded?.close();
  await server?.end("SIGKILL");
  discard(folder.path);
});

let addresses = 0;
/** A visitor from an address that nobody used before, whose requests each have a connection of their own: they go by turns. */
const visitor = (): Client =>
  new Client(server.url, undefined, { connection: "close", "x-forwarded-for": `198.51.100.${(addresses += 1)}` });

const workersOf = (answers: Answer[]): Promise<number[]> => answeredBy(server, answers);

/** An account of one's own making. */
async function signUp(name: string): Promise<void> {
  expect((await visitor().post("/users.json", { user: { name, password: PASSWORD } })).status).toBe(200);
}

async function upload(client: Client, seed: number, tags = "heard"): Promise<Answer> {
  const file = new Blob([new Uint8Array(await jpeg({ seed }))]);
  return client.post("/uploads.json", { upload: { file, rating: "s", tag_string: tags } });
}

describe("npm start with WORKERS=2", () => {
  it("logs once that it is up, with two processes listening", () => {
    expect(server.output.filter((line) => line.includes("Graphbooru is up"))).toHaveLength(1);
    expect(workers(server.pid)).toHaveLength(2);
  });

  it("is healthy and ready, and serves from both", async () => {
    const client = visitor();
    const health = await times(4, async () => (await client.get("/healthz")).json);
    const ready = await times(4, async () => (await client.get("/readyz")).json);
    expect([...health, ...ready]).toEqual(Array.from({ length: 8 }, () => ({ status: "ok" })));
    const answers = await times(8, () => client.get("/posts.json"));
    expect(tally(answers)).toEqual({ 200: 8 });
    expect((await workersOf(answers)).toSorted()).toEqual(workers(server.pid).toSorted());
    const places = server.output.flatMap((line) => /"worker":(\d)/.exec(line)?.[1] ?? []);
    expect([...new Set(places)].toSorted()).toEqual(["1", "2"]);
  });

  it("migrates the database once", () => {
    expect(server.output.filter((line) => line.includes('"database migrated"'))).toHaveLength(1);
  });
});

describe("limits", () => {
  it("allow exactly the hourly requests, whichever process they reach", async () => {
    const client = visitor();
    const answers = await times(100, () => client.get("/tags.json"));
    expect(tally(answers)).toEqual({ 200: 40, 421: 60 });
    expect(await workersOf(answers)).toHaveLength(2);
    const remaining = answers.filter(({ status }) => status === 200).map(({ headers }) => headers.get("x-api-limit"));
    expect(remaining.map(Number).toSorted((a, b) => b - a)).toEqual(Array.from({ length: 40 }, (_, used) => 39 - used));
    const later = await times(6, () => client.get("/tags.json"));
    expect(later.map(({ status, headers }) => [status, headers.get("x-api-limit")])).toEqual(
      later.map(() => [421, "0"]),
    );
    for (const { headers } of later) expect(Number(headers.get("retry-after"))).toBeGreaterThan(3500);
  });

  it("are counted without a statement", async () => {
    expect(tally(await times(4, () => visitor().get("/tags.json")))).toEqual({ 200: 4 });
    expect((await database.query("SELECT key FROM rate_limits")).rows).toEqual([]);
  });

  it("refuse logins after as many failures as one process would", async () => {
    await signUp("guarded");
    const [client, wrong] = [visitor(), { name: "guarded", password: "guess" }];
    const statuses = [];
    for (let tries = 0; tries < 10; tries += 1) statuses.push((await client.post("/session.json", wrong)).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403, 421, 421, 421, 421]);
  });

  it("let an address create as many accounts as one process would", async () => {
    const client = visitor();
    const answers = await times(8, (index) =>
      client.post("/users.json", { user: { name: `new_${index}`, password: PASSWORD } }),
    );
    expect(tally(answers)).toEqual({ 200: 3, 421: 5 });
  });
});

describe("a session", () => {
  it("created on one process is valid on the other", async () => {
    await signUp("wanderer");
    const client = visitor();
    const signedIn = await client.post("/session.json", { name: "wanderer", password: PASSWORD });
    const answers = await times(6, () => client.with({ cookie: cookieOf(signedIn) }).get("/profile.json"));
    expect(answers.map(({ json }) => json.name)).toEqual(answers.map(() => "wanderer"));
    expect(await workersOf(answers)).toHaveLength(2);
  });
});

describe("an ETag", () => {
  it("is that of the same response from the other process", async () => {
    expect((await upload(poster, 900, "etag")).status).toBe(200);
    const query = new URLSearchParams({ query: '{ posts(tags: "etag") { nodes { id viewerHasFavorited } } }' });
    const client = poster.with({ "apollo-require-preflight": "true" });
    const ask = () => times(8, () => client.get(`/graphql?${query.toString()}`));
    await ask(); // a document is compiled when it comes again
    const answers = await ask();
    expect(await workersOf(answers)).toHaveLength(2);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers.get("etag"))).size).toBe(1);
  });
});

describe("a subscription", () => {
  it("receives events of either process once", async () => {
    const subscribers: Subscriber[] = [];
    const heard = await times(4, async () => {
      const client = createClient({
        url: `${server.url.replace("http", "ws")}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        lazy: false,
      });
      subscribers.push(client);
      await new Promise((resolve) => client.on("connected", resolve));
      const ids: number[] = [];
      client.subscribe<{ postCreated: { id: number } }>(
        { query: "subscription { postCreated { id } }" },
        {
          next: ({ data }) => void ids.push(data?.postCreated.id ?? 0),
          error: (error) => expect.fail(String(error)),
          complete: () => undefined,
        },
      );
      return ids;
    });
    let seed = 0;
    const post = async () => {
      const answer = await upload(poster, (seed += 1));
      return { answer, id: answer.json.post_id as number };
    };
    // the protocol does not acknowledge a subscription: posts are made until all of them hear
    let last = 0;
    const hear = async () => {
      last = (await post()).id;
      return heard.every((ids) => ids.length > 0);
    };
    await expect.poll(hear).toBe(true);
    await expect.poll(() => heard.map((ids) => ids.at(-1))).toEqual(heard.map(() => last));
    for (const ids of heard) ids.length = 0;
    const made = [await post(), await post(), await post()];
    await expect.poll(() => heard).toEqual(heard.map(() => made.map(({ id }) => id)));
    const answers = made.map(({ answer }) => answer);
    expect(await workersOf(answers)).toHaveLength(2);
    for (const client of subscribers) await client.dispose();
  });
});

describe("the tag cache of a process", () => {
  it("is invalidated by changes in the other process", async () => {
    expect((await upload(poster, 1_000, "told")).status).toBe(200);
    const client = visitor();
    const search = async (tags: string) => {
      const answers = await times(6, () => client.get("/posts.json", { tags }));
      expect(await workersOf(answers)).toHaveLength(2);
      return answers.map(({ json }) => (json as unknown[]).length);
    };
    expect(await search("told")).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await search("said")).toEqual([0, 0, 0, 0, 0, 0]);
    await database.query(`INSERT INTO tag_aliases (antecedent_name, consequent_name, creator_id, status, updated_at)
      SELECT 'said', 'told', min(id), 'active', now() FROM users`);
    expect(await search("said")).toEqual([1, 1, 1, 1, 1, 1]);
    await database.query("UPDATE tag_aliases SET status = 'deleted'");
    expect(await search("said")).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe("jobs", () => {
  it("are run once each, by both processes", async () => {
    await database.query(`
      CREATE TABLE done (id bigint, attempts int, worker text, task text); -- recurring jobs are in it, too
      CREATE FUNCTION note_done() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO public.done SELECT OLD.id, OLD.attempts, OLD.locked_by, task.identifier
            FROM graphile_worker._private_tasks task WHERE task.id = OLD.task_id;
          RETURN OLD;
        END $$;
      CREATE TRIGGER note_done BEFORE DELETE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION note_done()`);
    const { rows } = await database.query<{ id: number }>("SELECT id FROM tags LIMIT 1");
    await database.query(
      `SELECT graphile_worker.add_job('recount_tag_category', json_build_object('tagId', $1::int)) FROM generate_series(1, 300)`,
      [rows[0]?.id],
    );
    const done = async () =>
      (
        await database.query<{ jobs: number; distinct: number; attempts: number; workers: number }>(
          `SELECT count(*)::int AS jobs, count(DISTINCT id)::int AS "distinct", max(attempts) AS attempts,
                  count(DISTINCT worker)::int AS workers FROM done WHERE task = 'recount_tag_category'`,
        )
      ).rows[0];
    await expect.poll(done, { timeout: 20_000 }).toMatchObject({ jobs: 300 });
    const { workers: hands, ...result } = (await done()) ?? { workers: 0 };
    expect(result).toEqual({ jobs: 300, distinct: 300, attempts: 1 });
    expect(hands).toBeGreaterThanOrEqual(2);
  });
});

describe("a process that is killed", () => {
  it("is replaced while the other serves, and limits keep their counts", { timeout: 60_000 }, async () => {
    const client = visitor();
    await times(4, () => client.get("/tags.json"));
    const [killed, other] = workers(server.pid);
    process.kill(killed as number, "SIGKILL");
    // what is handed to a process before its end is noticed is lost with it
    await expect.poll(() => server.output.filter((line) => line.includes("it is replaced"))).toHaveLength(1);
    expect(tally(await times(6, () => client.get("/tags.json")))).toEqual({ 200: 6 });
    const seen = new Set<unknown>();
    const ask = async () => {
      for (const pid of await workersOf([await visitor().get("/tags.json")])) seen.add(pid);
      return seen.size;
    };
    await expect.poll(ask, { timeout: 40_000, interval: 200 }).toBe(2);
    expect([...seen].toSorted()).toEqual(workers(server.pid).toSorted());
    expect(workers(server.pid)).toContain(other);
    expect((await client.get("/tags.json")).headers.get("x-api-limit")).toBe(String(40 - 4 - 6 - 1));
  });
});

describe("SIGTERM", () => {
  it("lets both processes finish their requests", { timeout: 60_000 }, async () => {
    await database.query("BEGIN; LOCK TABLE tags IN ACCESS EXCLUSIVE MODE");
    const asked = times(4, () => visitor().get("/tags.json"));
    const waiting = async () => {
      const { rowCount } = await database.query(
        "SELECT FROM pg_locks WHERE relation = 'tags'::regclass AND NOT granted",
      );
      return rowCount;
    };
    await expect.poll(waiting).toBe(4);
    const end = server.end("SIGTERM");
    await expect.poll(() => server.output.filter((line) => line.includes('"msg":"stopping"')).length).toBe(3);
    await database.query("COMMIT");
    expect(tally(await asked)).toEqual({ 200: 4 });
    expect(await end).toBe(0);
  });
});

describe("board jobs run", () => {
  it("runs the jobs of a server with JOBS=false", { timeout: 120_000 }, async () => {
    server = await ServerProcess.start(dataDir, { ...SETTINGS, JOBS: "false" });
    await database.query("TRUNCATE done");
    await database.query(`SELECT graphile_worker.add_job('sweep_limits')`);
    await database.query(`INSERT INTO rate_limits VALUES ('old', 1, 1), ('current', 1, 9e15)`);
    const jobs = spawn("node", ["dist/src/cli.js", "jobs", "run"], { env: server.env, stdio: "ignore" });
    const ended = once(jobs, "exit");
    await expect
      .poll(async () => (await database.query("SELECT DISTINCT attempts FROM done WHERE task = 'sweep_limits'")).rows, {
        timeout: 30_000,
      })
      .toEqual([{ attempts: 1 }]);
    jobs.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    const { rows } = await database.query("SELECT key FROM rate_limits WHERE key IN ('old', 'current')");
    expect(rows).toEqual([{ key: "current" }]);
  });
});

describe("the exit", () => {
  it("a port in use is reported in one sentence, with exit code 1", { timeout: 60_000 }, async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const env = { ...server.env, PORT: String(port) };
    const failed = run("node", ["dist/src/main.js"], { env });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: `Port ${port} of 127.0.0.1 is in use by another program; set PORT to a free one.\n`,
    });
    expect(workers(failed.child.pid as number)).toEqual([]);
    other.close();
  });

  it("kill -9 of the first process ends the others", { timeout: 60_000 }, async () => {
    const pids = workers(server.pid);
    await server.end("SIGKILL");
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
    expect((await findPostmaster(path.join(dataDir, "postgres")))?.status).toBe("ready");
  });

  it("SIGTERM leaves no process and no database", { timeout: 60_000 }, async () => {
    server = await ServerProcess.start(dataDir, SETTINGS);
    await database.end();
    await embedded.close();
    const pids = workers(server.pid);
    expect(tally(await times(20, () => visitor().get("/posts.json")))).toEqual({ 200: 20 });
    expect(await server.end("SIGTERM")).toBe(0);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await findPostmaster(path.join(dataDir, "postgres"))).toBeUndefined();
  });
});
