/** The values of the requests: the board's tags, and members with sessions. */
import { createHash } from "node:crypto";
import type pg from "pg";
import { Random } from "../board/random.js";
import { accounts } from "../search/writes.js";
import { PER_PAGE } from "./kinds.js";
import type { Member } from "./requests.js";

export interface TrafficSamples {
  posts: number;
  /** number of newest posts that are requested repeatedly, on different pages */
  newest: number;
  seed: number;
  /** ids of posts that members may not change */
  banned: ReadonlySet<number>;
  members: readonly Member[];
  /** each once, chosen by their numbers of posts */
  tags: readonly { name: string }[];
  /** deep pages of common tags, each once */
  deepPages: readonly { name: string; page: number }[];
}

const NEWEST = 20_000;
const MEMBERS = 100;
const MEMBER_LEVEL = 20;
const MOST_TAGS = 20_000;
/** Deep pages of a tag; on a small board, as deep as possible. */
const DEEP = { from: 450, to: 500, mostTags: 300 };

interface Tag {
  name: string;
  count: number;
}

/** Chooses the values of a run, and creates sessions of its members. */
export async function drawSamples(client: pg.Client, posts: number, seed: number): Promise<TrafficSamples> {
  const { rows: tags } = await client.query<Tag>(
    `SELECT name, post_count AS count FROM tags WHERE post_count > 0 ORDER BY post_count DESC, id LIMIT ${10 * MOST_TAGS}`,
  );
  const newest = Math.min(NEWEST, Math.floor(posts / 2));
  return {
    posts,
    newest,
    seed,
    banned: await bannedPosts(client, posts - newest),
    members: await drawMembers(client),
    tags: byFrequency(tags, seed).slice(0, MOST_TAGS),
    deepPages: deepPagesOf(tags),
  };
}

async function bannedPosts(client: pg.Client, above: number): Promise<Set<number>> {
  const { rows } = await client.query<{ id: number }>("SELECT id FROM posts WHERE is_banned AND id > $1", [above]);
  return new Set(rows.map(({ id }) => id));
}

/** The tags in weighted random order, those with many posts early (Efraimidis and Spirakis). */
function byFrequency(tags: readonly Tag[], seed: number): Tag[] {
  const random = new Random(seed);
  const drawn = tags.map((tag) => ({ tag, key: -Math.log(1 - random.next()) / tag.count }));
  return drawn.sort((one, other) => one.key - other.key).map(({ tag }) => tag);
}

/** One page of each tag, then the next one of each. */
function deepPagesOf(tags: readonly Tag[]): { name: string; page: number }[] {
  const pages = Math.floor((tags[0]?.count ?? 0) / PER_PAGE);
  const last = Math.min(DEEP.to, Math.max(1, pages));
  const first = Math.max(1, last - (DEEP.to - DEEP.from));
  const common = tags.filter(({ count }) => count >= last * PER_PAGE).slice(0, DEEP.mostTags);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    common.map(({ name }) => ({ name, page: first + index })),
  ).flat();
}

async function drawMembers(client: pg.Client): Promise<Member[]> {
  const members = (await accounts(client, MEMBER_LEVEL, MEMBERS)).map((account): Member => ({
    ...account,
    session: createHash("sha256").update(`${account.name} reads`).digest("base64url"),
  }));
  for (const { name, session } of members)
    await client.query(
      `INSERT INTO user_sessions (user_id, token_hash, address)
       SELECT id, $2, '127.0.0.1' FROM users WHERE name = $1 ON CONFLICT (token_hash) DO UPDATE SET last_used_at = now()`,
      [name, createHash("sha256").update(session).digest()],
    );
  return members;
}
