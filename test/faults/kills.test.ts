/**
 * The server is killed fifty times on one folder, at random moments of uploads, edits and alias jobs, and started again.
 * What it acknowledged stays; what was in progress is either done or not, never partially.
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../support/client.js";
import { approve } from "../support/jobs.js";
import { again, Ledger } from "../support/ledger.js";
import { OwnServer } from "../support/own-server.js";

const KILLS = 50;
/** A kill comes within so many milliseconds: of the first answer, or every fourth time of the first request. */
const LATEST = 400;
const POSTS = 6;

/** Nobody is turned away, however slow the machine is: a server that has just started opens all its connections at once. */
const SETTINGS = { DATABASE_WAIT_MS: "30000", STATEMENT_TIMEOUT_MS: "30000" };

let server: OwnServer;
let [writer, admin]: Client[] = [];
let ledger: Ledger;
const posts: number[] = [];
beforeAll(async () => {
  server = await OwnServer.start(SETTINGS);
  writer = await server.account("writer", "contributor");
  admin = await server.account("keeper", "admin");
  ledger = new Ledger(writer);
  for (let count = 0; count < POSTS; count += 1) posts.push(await ledger.upload("edited"));
});
afterAll(() => server[Symbol.asyncDispose]());

/** What goes on when the kill comes, by turns. */
const WORK: Record<string, (end: AbortSignal, round: number) => Promise<unknown>> = {
  uploads: (end, round) => again(6, end, () => ledger.upload(`uploaded old_${round + 1}`)),
  edits: (end) => again(POSTS, end, (thread) => ledger.edit(posts[thread] ?? 0)),
  "alias jobs": async (end, round) => {
    // of a tag that the uploads of the round before have; the job goes on beside the comments
    await approve({ client: admin as Client }, "Alias", `old_${round}`, `new_${round}`).catch(() => undefined);
    await again(1, end, () => ledger.comment(posts[0] ?? 0));
  },
};
const KINDS = ["uploads", "alias jobs", "edits"];

/** Starts the server again, and everybody finds it. */
async function restart(): Promise<void> {
  await server.restart();
  [writer, admin] = [writer, admin].map((client) => server.anonymous.as(client?.login ?? { name: "", apiKey: "" }));
  ledger = ledger.at(writer as Client);
}

async function killDuring(kind: string, round: number): Promise<void> {
  const end = new AbortController();
  const done = ledger.statuses[200] ?? 0;
  const work = WORK[kind]?.(end.signal, round);
  const awaited = round % 4 > 0 ? done + 1 : done;
  await expect.poll(() => ledger.statuses[200] ?? 0, { interval: 5 }).toBeGreaterThanOrEqual(awaited);
  await sleep(Math.random() * LATEST);
  await server.process.end("SIGKILL");
  end.abort();
  await work;
}

describe("kill -9 of the server", () => {
  it(`${KILLS} times, loses nothing that was acknowledged`, { timeout: 1_800_000 }, async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killDuring(KINDS[kill % KINDS.length] ?? "", kill);
      expect(server.faults).toEqual([]);
      await restart();
    }
    // 0: the server died before it answered
    expect(Object.keys(ledger.statuses).toSorted()).toEqual(["0", "200"]);
    expect(ledger.uploads.size).toBeGreaterThan(POSTS);
    expect(ledger.edits.size).toBe(POSTS);
    expect(await server.withDatabase((client) => ledger.lost(client))).toEqual([]);
  });

  it("leaves jobs that the next server finishes", { timeout: 300_000 }, async () => {
    const open = () =>
      server.withDatabase(async (client) => {
        const { rows } = await client.query<{ jobs: number }>(
          `SELECT count(*)::int AS jobs FROM tag_aliases WHERE status IN ('queued', 'processing')`,
        );
        return rows[0]?.jobs;
      });
    // a job whose server was killed is released within a minute
    await expect.poll(open, { timeout: 240_000, interval: 500 }).toBe(0);
    const left = await server.withDatabase((client) =>
      client.query(`SELECT t.name, t.post_count, a.status FROM tag_aliases a JOIN tags t ON t.name = a.antecedent_name
                     WHERE a.status LIKE 'error%' OR a.status = 'active' AND t.post_count > 0`),
    );
    expect(left.rows).toEqual([]);
    const aliases = await server.anonymous.get("/tag_aliases.json", { search: { status: "active" } });
    expect((aliases.json as unknown[]).length).toBeGreaterThan(5);
  });

  it("leaves rows and files consistent", async () => {
    expect(await server.board("storage", "verify")).toMatchObject({ missingOriginals: [], missingDerived: [] });
    expect(await server.board("verify")).toMatchObject({ ok: true, faults: [], storage: { orphans: [] } });
    expect(await server.process.end("SIGTERM")).toBe(0);
    expect(await readdir(path.join(server.dataDir, "media/tmp"))).toEqual([]);
  });
});
