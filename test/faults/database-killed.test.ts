/** PostgreSQL is killed repeatedly under load: the board restarts it, and nothing acknowledged is lost. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { again, Ledger } from "../support/ledger.js";
import { OwnServer } from "../support/own-server.js";

const KILLS = 4;

let server: OwnServer;
beforeAll(async () => {
  server = await OwnServer.start();
});
afterAll(() => server[Symbol.asyncDispose]());

const ready = async () => (await server.anonymous.get("/readyz")).status;

describe("kill -9 of PostgreSQL under load", () => {
  it("gives 503 until it is back; the board recovers by itself, and nothing acknowledged is lost", async () => {
    const ledger = new Ledger(await server.account("writer", "contributor"));
    const posts = [await ledger.upload("edited"), await ledger.upload("edited"), await ledger.upload("edited")];
    const end = new AbortController();
    const load = Promise.all([
      again(2, end.signal, () => ledger.read()),
      again(2, end.signal, () => ledger.upload("uploaded under_load")),
      again(posts.length, end.signal, (thread) => ledger.edit(posts[thread] ?? 0)),
      again(1, end.signal, () => ledger.comment(posts[0] ?? 0)),
    ]);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const done = ledger.uploads.size;
      await expect.poll(() => ledger.uploads.size - done).toBeGreaterThan(3);
      const killed = await server.postmaster();
      process.kill(killed?.pid ?? 0, "SIGKILL");
      // the file of the one that was killed says "ready" until the next one begins
      const next = async () => {
        const found = await server.postmaster();
        return found?.pid === killed?.pid ? undefined : found;
      };
      await expect.poll(next).toMatchObject({ status: "ready", port: killed?.port });
      await expect.poll(ready).toBe(200);
    }
    end.abort();
    await load;

    expect(server.faults).toEqual([]);
    expect(Object.keys(ledger.statuses).toSorted()).toEqual(["200", "503"]);
    expect(ledger.statuses[503]).toBeGreaterThanOrEqual(KILLS);
    expect(ledger.uploads.size).toBeGreaterThan(3 * KILLS);
    expect(await server.withDatabase((client) => ledger.lost(client))).toEqual([]);
  });

  it("leaves rows and files consistent", async () => {
    // files whose commit was never answered are removed here; no row lacks its file
    expect(await server.board("storage", "verify")).toMatchObject({ missingOriginals: [], missingDerived: [] });
    expect(await server.board("verify")).toMatchObject({ ok: true, faults: [], storage: { orphans: [] } });
  });

  it("says in the log why the database can't be restarted, and restarts it once it can be", async () => {
    const file = path.join(server.dataDir, "postgres/postgresql.auto.conf");
    const settings = await readFile(file, "utf8");
    await writeFile(file, `${settings}shared_buffers = 'a lot'\n`);
    process.kill((await server.postmaster())?.pid ?? 0, "SIGKILL");
    const sentence = expect.stringMatching(/^PostgreSQL could not start in .*: configuration file .* contains errors/);
    await expect.poll(() => server.process.messages).toContainEqual(sentence);
    await writeFile(file, settings);
    await expect.poll(ready).toBe(200);
  });

  it("does not keep the database from stopping with the board", async () => {
    expect(await server.process.end("SIGTERM")).toBe(0);
    expect(await server.postmaster()).toBeUndefined();
  });
});
