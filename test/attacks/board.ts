/** The attacked board: the built server as a process of its own, with its embedded database, and some hundred posts. */
import { chmod } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { generateBoard } from "../../bench/generate.js";
import { type EmbeddedDatabase, openEmbedded } from "../../src/database/embedded.js";
import { findPostmaster } from "../../src/database/embedded/postmaster.js";
import { Client } from "../support/client.js";
import { discard } from "../support/clusters.js";
import { Folder } from "../support/folder.js";
import { jpeg } from "../support/pictures.js";
import { ServerProcess } from "../support/server-process.js";
import { digestsOf } from "../support/traces.js";
import type { Facts, Login } from "./attack.js";
import { diskUse, familyOf, memoryOf } from "./processes.js";

const POSTS = 500;
const CHILDREN = 300;
/** Accounts of ordinary members, and as many of the attacker's. */
const MEMBERS = 60;

/** As many settings as possible are the defaults; a test's servers hash passwords at less cost. */
const DEFAULTS = { BCRYPT_COST: "12", HOST: "127.0.0.1" };

export class AttackedBoard implements AsyncDisposable {
  private constructor(
    private readonly folder: Folder,
    private readonly server: ServerProcess,
    private readonly embedded: EmbeddedDatabase,
    private readonly database: pg.Client,
    private readonly postmaster: number,
    readonly facts: Facts,
  ) {}

  /** @param release the folder of another build than that of this checkout */
  static async start(settings: Readonly<Record<string, string>> = {}, release?: string): Promise<AttackedBoard> {
    const folder = await Folder.make();
    await chmod(folder.path, 0o711); // the database's user has to enter it
    const dataDir = folder.at("data");
    const server = await ServerProcess.start(dataDir, { ...DEFAULTS, ...settings }, release);
    const embedded = await openEmbedded({ dataDir });
    const database = new pg.Client({ connectionString: embedded.url });
    await database.connect();
    const postmaster = (await findPostmaster(path.join(dataDir, "postgres")))?.pid ?? 0;
    await generateBoard(embedded.url, { posts: POSTS });
    const facts = await fill(database, server.url);
    return new AttackedBoard(folder, server, embedded, database, postmaster, facts);
  }

  get url(): string {
    return this.server.url;
  }

  get pid(): number {
    return this.server.pid;
  }

  get isAlive(): boolean {
    return this.server.isAlive;
  }

  /** Bytes that all of its processes take: server, helpers, PostgreSQL. */
  get memory(): number {
    return memoryOf(familyOf([this.server.pid, this.postmaster]));
  }

  /** Bytes of all files, the temporary ones too. */
  get disk(): number {
    return diskUse(path.join(this.server.dataDir, "media"));
  }

  /** How many requests were answered with 500 so far. */
  get faults(): number {
    return this.server.output.filter((line) => line.includes('"res":{"status":500}')).length;
  }

  /** What is in each table that a visitor must not change; null where the database does not answer. */
  async digest(): Promise<Record<string, string> | null> {
    const ask = async <T extends object>(statement: string) => (await this.database.query<T>(statement)).rows;
    return digestsOf(ask).catch(() => null);
  }

  /** Milliseconds of the longest delay of the event loop since this was asked last; null where nobody answers. */
  async loopDelay(): Promise<number | null> {
    try {
      const text = await (await fetch(`${this.url}/metrics`, { signal: AbortSignal.timeout(10_000) })).text();
      const seconds = /^nodejs_eventloop_lag_max_seconds\S* (\S+)$/m.exec(text)?.[1];
      return seconds === undefined ? null : Number(seconds) * 1000;
    } catch {
      return null;
    }
  }

  /** An administrator bans somebody. */
  async ban({ name }: Login): Promise<void> {
    const { rows } = await this.database.query<{ id: number }>("SELECT id FROM users WHERE name = $1", [name]);
    const document = "mutation($input: BanUserInput!) { banUser(input: $input) { ban { id } } }";
    const input = { userId: rows[0]?.id, reason: "attacks" };
    const { text, json } = await new Client(this.url).as(ADMIN).graphql(document, { input });
    if ((json as { errors?: unknown }).errors) throw new Error(`the ban failed: ${text}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.end().catch(() => undefined);
    await this.server.end("SIGKILL");
    await this.embedded.close().catch(() => undefined);
    discard(this.folder.path);
  }
}

/** Bcrypt's form of a key that nobody would guess, without its cost. */
const keyOf = (name: string): string => `$2b$12$${name.padEnd(53, "a").replaceAll("_", "b")}`;

const account = (name: string): Login => ({ name, apiKey: keyOf(name) });

/** An ordinary member. */
export const memberNo = (index: number): Login => account(`member_${index % MEMBERS}`);
/** A member who attacks. */
export const attackerNo = (index: number): Login => account(`attacker_${index % MEMBERS}`);

const ADMIN = account("the_admin");

/** Adds to a generated board: accounts, a large family, and a file. */
async function fill(database: pg.Client, url: string): Promise<Facts> {
  const logins = Array.from({ length: MEMBERS }, (_, index) => [memberNo(index), attackerNo(index)]).flat();
  logins.push(ADMIN);
  for (const { name, apiKey } of logins) {
    await database.query(
      `INSERT INTO users (name, password_hash, level, created_at) VALUES ($1, $2, 20, now() - interval '1 year')`,
      [name, apiKey],
    );
  }
  await database.query(`UPDATE users SET level = 50 WHERE name = $1`, [ADMIN.name]);
  const { rows } = await database.query<{ id: number }>(
    `SELECT id FROM posts WHERE parent_id IS NULL AND NOT is_deleted ORDER BY id`,
  );
  const [parent = 0, ...children] = rows.map(({ id }) => id);
  await database.query(`UPDATE posts SET parent_id = $1 WHERE id = ANY($2)`, [parent, children.slice(0, CHILDREN)]);
  await database.query(`UPDATE posts SET has_children = true, has_active_children = true WHERE id = $1`, [parent]);
  const tags = await database.query<{ name: string }>(`SELECT name FROM tags ORDER BY post_count DESC LIMIT 30`);
  const file = await upload(new Client(url).as(ADMIN));
  await database.query("VACUUM ANALYZE");
  return { parent, post: children.at(-1) ?? 0, file, tags: tags.rows.map(({ name }) => name) };
}

/** @returns the file's path */
async function upload(client: Client): Promise<string> {
  const file = new Blob([new Uint8Array(await jpeg({ width: 900, height: 600 }))]);
  const { text, json } = await client.post("/uploads.json", { upload: { file, rating: "s", tag_string: "harbour" } });
  const post = (json as { post_id?: number }).post_id;
  if (!post) throw new Error(`the upload failed: ${text}`);
  const { json: shown } = await client.get(`/posts/${post}.json`);
  return new URL((shown as { file_url: string }).file_url).pathname;
}
