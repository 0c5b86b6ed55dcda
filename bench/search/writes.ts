/** Measures edits of tags by one member, then by sixteen at once, on a copy of the board. */
import type pg from "pg";
import { request } from "undici";
import { percentile } from "./statistics.js";

const WRITERS = 16;

export interface Writer {
  name: string;
  apiKey: string;
}

/** A write with a status other than 200. */
export class WriteError extends Error {
  override name = "WriteError";
}

/** Accounts of a level. Their keys are the stored strings. */
export async function accounts(client: pg.Client, level: number, count: number): Promise<Writer[]> {
  const { rows } = await client.query<Writer>(
    `SELECT name, password_hash AS "apiKey" FROM users
      WHERE level = $1 AND NOT is_banned AND NOT is_deleted ORDER BY id LIMIT $2`,
    [level, count],
  );
  return rows;
}

export const authorization = ({ name, apiKey }: Writer): string =>
  `Basic ${Buffer.from(`${name}:${apiKey}`).toString("base64")}`;

interface EditedPost {
  id: number;
  names: string[];
  tagIds: number[];
}

/** The posts that members may edit. */
async function readPosts(client: pg.Client, ids: readonly number[]): Promise<EditedPost[]> {
  const { rows } = await client.query<EditedPost>(
    `SELECT id, tag_ids AS "tagIds", ARRAY(SELECT name FROM tags WHERE tags.id = ANY(tag_ids) ORDER BY name) AS names
       FROM posts WHERE id = ANY($1::int[]) AND NOT is_banned ORDER BY id`,
    [ids],
  );
  return rows;
}

/** Random ids. */
const spread = (posts: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => 1 + Math.floor((index * posts) / count));

/** Sends an edit of a post's tags. @returns milliseconds @throws WriteError */
async function put(url: string, writer: Writer, id: number, names: readonly string[]): Promise<number> {
  const started = performance.now();
  const answer = await request(`${url}/posts/${id}.json`, {
    method: "PUT",
    headers: { authorization: authorization(writer), "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ "post[tag_string]": names.join(" ") }).toString(),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200)
    throw new WriteError(`PUT /posts/${id}.json: ${answer.statusCode} ${text.slice(0, 300)}`);
  return performance.now() - started;
}

/** Edits to warm up the server. */
const WARM_UP = 100;
const LEAST_EDITS = 50;

export interface EditPlan {
  client: pg.Client;
  url: string;
  posts: number;
  seconds: number;
  /** common tags, which edits add and remove */
  common: readonly string[];
}

/** Sequential edits of different posts, which add or remove a common tag. */
export async function measureEdits({ client, url, posts, seconds, common }: EditPlan) {
  const [writer] = await accounts(client, 20, 1);
  const tag = common[0];
  if (!writer || tag === undefined) throw new WriteError("the board has no member, or no tags");
  const edited = await readPosts(client, spread(posts, 2000));
  const times: number[] = [];
  const started = performance.now();
  for (const { id, names } of edited) {
    if (times.length >= WARM_UP + LEAST_EDITS && performance.now() - started > seconds * 1000) break;
    times.push(
      await put(url, writer, id, names.includes(tag) ? names.filter((name) => name !== tag) : [...names, tag]),
    );
  }
  const measured = times.slice(WARM_UP);
  return { p50: percentile(measured, 0.5), p99: percentile(measured, 0.99), edits: measured.length };
}

const SHARED_POSTS = 40;
/** Edits of each writer to warm up the connections. */
const WARM_ROUNDS = 5;

/** Concurrent edits by sixteen members, who add and remove the same tags of the same few posts in different orders. */
export async function measureParallel({ client, url, posts, seconds, common }: EditPlan) {
  const writers = await accounts(client, 20, WRITERS);
  const ids = spread(posts, SHARED_POSTS).map((id) => Math.min(id + 1, posts));
  const before = await readPosts(client, ids);
  const countsBefore = await tagCounts(client);
  const edit = (writer: Writer, number: number, round: number): Promise<number> => {
    const post = before[(number * 7 + round * (number + 1)) % before.length] as EditedPost;
    return put(url, writer, post.id, withSome(post.names, common, number * 31 + round * 17));
  };
  const warmUp = async (writer: Writer, number: number) => {
    for (let round = 0; round < WARM_ROUNDS; round += 1) await edit(writer, number, round);
  };
  await Promise.all(writers.map(warmUp));
  const times: number[] = [];
  const started = performance.now();
  const work = async (writer: Writer, number: number) => {
    for (let round = WARM_ROUNDS; round < WARM_ROUNDS + 3 || performance.now() - started < seconds * 1000; round += 1)
      times.push(await edit(writer, number, round));
  };
  await Promise.all(writers.map(work));
  const elapsed = (performance.now() - started) / 1000;
  const wrongCounts = changed(countsBefore, await tagCounts(client), before, await readPosts(client, ids));
  return { edits: times.length, p50: percentile(times, 0.5), editsPerSecond: times.length / elapsed, wrongCounts };
}

/** The post's own tags, and the shared ones whose bit is set. */
function withSome(names: readonly string[], shared: readonly string[], bits: number): string[] {
  const chosen = shared.filter((_, index) => (bits >> index) & 1);
  return [...names.filter((name) => !shared.includes(name)), ...chosen];
}

type Counts = Map<number, { name: string; count: number }>;

async function tagCounts(client: pg.Client): Promise<Counts> {
  const { rows } = await client.query<{ id: number; name: string; count: number }>(
    "SELECT id, name, post_count AS count FROM tags",
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Tags whose count has not changed like the posts. */
function changed(before: Counts, after: Counts, old: readonly EditedPost[], now: readonly EditedPost[]): string[] {
  const moves = new Map<number, number>();
  const add = (posts: readonly EditedPost[], by: number) => {
    for (const id of posts.flatMap(({ tagIds }) => tagIds)) moves.set(id, (moves.get(id) ?? 0) + by);
  };
  add(old, -1);
  add(now, 1);
  return [...after]
    .filter(([id, { count }]) => count !== (before.get(id)?.count ?? 0) + (moves.get(id) ?? 0))
    .map(([, { name }]) => name);
}
