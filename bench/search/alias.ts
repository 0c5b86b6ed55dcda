/** Response times of searches while an approved alias is applied to its posts in the background. */
import { setTimeout } from "node:timers/promises";
import type pg from "pg";
import { request } from "undici";
import type { Effort, LoadDriver } from "./load/driver.js";
import type { AliasOutcome } from "./outcome.js";
import { pathOf, type Search } from "./set.js";
import { authorization, type Writer, WriteError } from "./writes.js";

/** Number of posts with the antecedent. */
const WANTED = 100_000;
const TARGET = "bench_alias_target";
const ADMIN = 50;
/** Timeout for the first retagged posts, and polling interval, in milliseconds. */
const PATIENCE = 60_000;
const PAUSE = 20;

export interface AliasPlan {
  client: pg.Client;
  url: string;
  driver: LoadDriver;
  effort: Effort;
  /** measured before and during the job; none of them contains the tag */
  searches: readonly Search[];
}

/** The tag with about this many posts that no search contains. */
async function antecedent(client: pg.Client, searches: readonly Search[]): Promise<{ name: string; posts: number }> {
  const named = searches.flatMap(({ tags }) => tags.split(" ").map((term) => term.replace(/^[-~]/, "")));
  const { rows } = await client.query<{ name: string; posts: number }>(
    `SELECT name, post_count AS posts FROM tags WHERE name <> ALL($1::text[])
      ORDER BY abs(post_count - least($2, (SELECT max(id) / 10 FROM posts))), id LIMIT 1`,
    [named, WANTED],
  );
  if (!rows[0]) throw new WriteError("the board has no tags");
  return rows[0];
}

/**
 * Approves an alias and measures while it is applied. The job is not completed; it ends with the copy of the board.
 * @throws WriteError if it can't be approved
 */
export async function measureAlias(plan: AliasPlan): Promise<AliasOutcome> {
  const { client, searches } = plan;
  const { name, posts } = await antecedent(client, searches);
  const before = await p50s(plan);
  await approve(plan, name);
  await begun(client, name, posts);
  const started = performance.now();
  const from = await left(client, name);
  const meanwhile = await p50s(plan);
  const seconds = (performance.now() - started) / 1000;
  const done = from - (await left(client, name));
  const compared = searches.map((search, index) => ({
    name: search.name,
    before: before[index] as number,
    meanwhile: meanwhile[index] as number,
  }));
  return { posts, done, seconds, searches: compared };
}

/** Number of posts that still have the tag. */
async function left(client: pg.Client, name: string): Promise<number> {
  const { rows } = await client.query<{ left: number }>("SELECT post_count AS left FROM tags WHERE name = $1", [name]);
  return rows[0]?.left ?? 0;
}

/** Waits until the job has started. */
async function begun(client: pg.Client, name: string, posts: number): Promise<void> {
  const end = Date.now() + PATIENCE;
  while ((await left(client, name)) === posts) {
    if (Date.now() > end) throw new WriteError(`the alias of ${name} was approved, and no post followed`);
    await setTimeout(PAUSE);
  }
}

async function p50s({ driver, url, effort, searches }: AliasPlan): Promise<number[]> {
  const times: number[] = [];
  for (const search of searches)
    times.push((await driver.measure({ url, path: pathOf(search, 20), connections: 1, effort })).p50);
  return times;
}

async function approve({ client, url }: AliasPlan, name: string): Promise<void> {
  const { rows } = await client.query<Writer>(
    `UPDATE users SET level = $1 WHERE id = (SELECT min(id) FROM users WHERE level = 35)
     RETURNING name, password_hash AS "apiKey"`,
    [ADMIN],
  );
  if (!rows[0]) throw new WriteError("the board has nobody to approve an alias");
  const input = { antecedentName: name, consequentName: TARGET, reason: "measured" };
  const asked = await graphql<{ requestTagAlias: { tagAlias: { id: number } } }>(
    url,
    rows[0],
    "mutation ($input: RequestTagRelationInput!) { requestTagAlias(input: $input) { tagAlias { id } } }",
    input,
  );
  await graphql(
    url,
    rows[0],
    "mutation ($input: TagRelationInput!) { approveTagAlias(input: $input) { tagAlias { id status } } }",
    { id: asked.requestTagAlias.tagAlias.id },
  );
}

async function graphql<T>(url: string, writer: Writer, query: string, input: object): Promise<T> {
  const { body } = await request(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: authorization(writer), "content-type": "application/json" },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const { data, errors } = (await body.json()) as { data?: T; errors?: unknown };
  if (errors !== undefined || !data) throw new WriteError(`GraphQL: ${JSON.stringify(errors)}`);
  return data;
}
