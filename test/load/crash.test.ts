/** The built server is killed in the middle of uploads: what it acknowledged stays, and nothing else is left. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEmbedded } from "../../src/database/embedded.js";
import { findPostmaster } from "../../src/database/embedded/postmaster.js";
import { discard } from "../support/clusters.js";
import { Client, type Login } from "../support/client.js";
import { Folder } from "../support/folder.js";
import { jpeg } from "../support/pictures.js";
import { prepareDataDir } from "../support/prepared.js";
import { ServerProcess } from "../support/server-process.js";

const run = promisify(execFile);
const UPLOADS = 200;
const CLIENTS = 8;

let folder: Folder;
let dataDir: string;
let server: ServerProcess | undefined;

beforeEach(async () => {
  folder = await Folder.make();
  await chmod(folder.path, 0o711); // the database's user has to enter it
  dataDir = folder.at("data");
  await prepareDataDir(dataDir);
});
afterEach(async () => {
  await server?.end("SIGKILL");
  discard(folder.path); // ends the database too, should it still run
});

/** The running database of the folder, which is found by its process. */
const postmaster = () => findPostmaster(path.join(dataDir, "postgres"));

/** What a `board` command prints, as JSON. */
async function board<T>(of: ServerProcess, ...args: string[]): Promise<T> {
  const { stdout } = await run("node", ["dist/src/cli.js", ...args], { env: of.env });
  return JSON.parse(stdout) as T;
}

interface Picture {
  md5: string;
  file: Blob;
  /** what the server answered last; 0 for no answer at all */
  status: number;
}

async function pictures(count: number): Promise<Picture[]> {
  const contents = await Promise.all(Array.from({ length: count }, (_, index) => jpeg({ seed: 7000 + index })));
  return contents.map((content) => ({
    md5: createHash("md5").update(content).digest("hex"),
    file: new Blob([new Uint8Array(content)]),
    status: 0,
  }));
}

/** Parallel clients upload what is not there yet. Calls back after each success. */
async function uploadAll(url: string, login: Login, all: Picture[], onSuccess: () => void): Promise<void> {
  const left = all.filter((picture) => picture.status !== 200);
  const client = new Client(url, login);
  const work = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const upload = { file: next.file, rating: "s", tag_string: `crash tag_${all.indexOf(next) % 7}` };
      next.status = await client.post("/uploads.json", { upload }).then(
        (answer) => answer.status,
        () => 0,
      );
      if (next.status === 200) onSuccess();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
}

/** md5s of the posts, and of the originals and previews in the storage. */
async function inventory() {
  const database = await openEmbedded({ dataDir });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ md5: string }>("SELECT md5 FROM posts ORDER BY md5");
  const counts = await client.query(
    "SELECT FROM tags WHERE post_count <> (SELECT count(*) FROM posts WHERE tag_ids @> ARRAY[tags.id])",
  );
  await client.end();
  await database.close();
  const stored = async (variant: string) => {
    const files = await readdir(path.join(dataDir, "media", variant), { recursive: true });
    return files.flatMap((file) => /([0-9a-f]{32})\.jpg$/.exec(file)?.[1] ?? []).sort();
  };
  return {
    posts: rows.map((row) => row.md5),
    originals: await stored("original"),
    previews: await stored("preview"),
    temporary: (await readdir(path.join(dataDir, "media/tmp"))).length,
    wrongCounts: counts.rowCount,
  };
}

describe("kill -9 in the middle of 200 uploads by eight clients", () => {
  it("loses no acknowledged upload, and leaves no partial ones", { timeout: 180_000 }, async () => {
    const all = await pictures(UPLOADS);
    server = await ServerProcess.start(dataDir);
    const { name, api_key } = await board<{ name: string; api_key: string }>(
      server,
      "user",
      "create",
      "uploader",
      "a long password",
      "contributor",
    );
    const login = { name, apiKey: api_key };
    const database = await postmaster();

    let succeeded = 0;
    const killed = server;
    await uploadAll(server.url, login, all, () => {
      if ((succeeded += 1) === 60) process.kill(killed.pid, "SIGKILL");
    });
    await killed.end("SIGKILL");
    const answered = all.filter((picture) => picture.status === 200);
    expect(answered.length).toBeGreaterThanOrEqual(60);
    expect(answered.length).toBeLessThan(UPLOADS);
    expect(all.every((picture) => picture.status === 200 || picture.status === 0)).toBe(true);

    // its database goes on, and the next server takes it over
    expect((await postmaster())?.pid).toBe(database?.pid);
    server = await ServerProcess.start(dataDir);
    expect((await postmaster())?.pid).toBe(database?.pid);
    const present = (await inventory()).posts;
    expect(answered.filter((picture) => !present.includes(picture.md5))).toEqual([]);

    await uploadAll(server.url, login, all, () => undefined);
    // 423: it was committed, and the answer was lost with the server
    const unanswered = all.filter((picture) => picture.status === 423);
    expect(unanswered.length).toBeLessThanOrEqual(CLIENTS);
    expect(all.filter((picture) => ![200, 423].includes(picture.status))).toEqual([]);

    const report = await board<{ ok: boolean; missingOriginals: string[] }>(server, "storage", "verify");
    expect(report).toMatchObject({ ok: true, missingOriginals: [], mediaFiles: UPLOADS });
    const again = await board(server, "storage", "verify");
    expect(again).toEqual({
      mediaFiles: UPLOADS,
      storedFiles: 2 * UPLOADS,
      orphans: [],
      missingDerived: [],
      missingOriginals: [],
      unreadable: [],
      temporarySwept: 0,
      repaired: 0,
      ok: true,
    });
    const md5s = all.map((picture) => picture.md5).sort();
    const kept = await inventory();
    expect(kept).toEqual({ posts: md5s, originals: md5s, previews: md5s, temporary: kept.temporary, wrongCounts: 0 });

    const some = new Client(server.url);
    for (const picture of all.slice(0, 10)) {
      const { json } = await some.get("/posts.json", { md5: picture.md5 });
      const bytes = await (await fetch(json[0].file_url as string)).arrayBuffer();
      expect(createHash("md5").update(Buffer.from(bytes)).digest("hex")).toBe(picture.md5);
    }
    expect(await server.end("SIGTERM")).toBe(0);
    expect(await postmaster()).toBeUndefined();
    expect(await readdir(path.join(dataDir, "media/tmp"))).toEqual([]);
  });
});

describe("SIGTERM", () => {
  it("stops the server with code 0, and its database", { timeout: 120_000 }, async () => {
    server = await ServerProcess.start(dataDir);
    expect((await postmaster())?.status).toBe("ready");
    expect((await new Client(server.url).get("/posts.json")).json).toEqual([]);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(await postmaster()).toBeUndefined();
  });

  it("keeps the database running for a command that still uses it", { timeout: 120_000 }, async () => {
    server = await ServerProcess.start(dataDir);
    const member = await openEmbedded({ dataDir });
    expect(await server.end("SIGTERM")).toBe(0);
    expect((await postmaster())?.status).toBe("ready");
    await member.close();
    expect(await postmaster()).toBeUndefined();
  });
});
