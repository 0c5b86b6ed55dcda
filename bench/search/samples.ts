/** The values of the searches, chosen from the board by their counts, so that nothing depends on names. */
import type pg from "pg";

/** A tag whose count is near a power of ten. */
export interface Decade {
  /** lower limit of its posts; the upper one is ten times as many */
  from: number;
  tag: string;
  posts: number;
}

export interface Wildcard {
  pattern: string;
  /** at most as many as a search may contain */
  tags: string[];
}

export interface Samples {
  posts: number;
  /** five common tags that occur together, most used first */
  common: [string, string, string, string, string];
  /** a tag from each order of magnitude of counts, the rarest first */
  decades: Decade[];
  /** two common tags that never occur together */
  apart: [string, string];
  /** a tag of some dozen posts, some of which have the most used tag */
  rare: [string, string];
  /** a tag of about one percent of the posts */
  middling: string;
  /** a tag whose posts are nearly all from the first tenth of the board's time */
  old: string;
  /** a short and a longer prefix of names, and the tags that a wildcard matches */
  wildcards: [Wildcard, Wildcard];
  /** the user with most uploads, and one with some dozen */
  uploaders: [string, string];
  /** the user with most favorites */
  fan: string;
  /** the pool with most posts */
  pool: number;
  /** a day in the middle of the board's time, and a year from there */
  day: string;
  year: [string, string];
  /** a width of few posts, and one that few exceed, in pixels */
  width: number;
  wide: number;
  /** a post in the middle, by id */
  middle: number;
}

/** The board lacks something that the searches need. */
export class SampleError extends Error {
  override name = "SampleError";
}

/** Chooses the samples, always the same for a board. @throws SampleError */
export async function takeSamples(client: pg.Client): Promise<Samples> {
  const one = picker(client);
  const posts = Number(await one("posts", "SELECT max(id) AS value FROM posts"));
  const common = await commonTags(client);
  return {
    posts,
    common,
    decades: await decades(client),
    apart: await apart(client),
    rare: [await rare(one, common[0], 30), await rare(one, common[0], 25)],
    middling: await one("a tag on a hundredth of the posts", NEAREST, [posts / 100]),
    old: await one("a tag of old posts", OLD),
    wildcards: [await wildcard(client, 2), await wildcard(client, 4)],
    uploaders: [
      await one("an uploader", "SELECT name AS value FROM users ORDER BY post_upload_count DESC, id LIMIT 1"),
      await one(
        "a rare uploader",
        "SELECT name AS value FROM users WHERE post_upload_count > 0 ORDER BY abs(post_upload_count - 30), id LIMIT 1",
      ),
    ],
    fan: await one(
      "favorites",
      `SELECT name AS value FROM users JOIN favorites ON favorites.user_id = users.id
                                  WHERE NOT enable_private_favorites GROUP BY users.id ORDER BY count(*) DESC, users.id LIMIT 1`,
    ),
    pool: Number(
      await one("a pool", "SELECT id AS value FROM pools WHERE NOT is_deleted ORDER BY post_count DESC, id LIMIT 1"),
    ),
    day: await one("a day", dateOf("0")),
    year: [await one("a day", dateOf("0")), await one("a day", dateOf("interval '1 year'"))],
    width: Number(
      await one(
        "a width",
        `SELECT image_width AS value FROM posts GROUP BY 1 ORDER BY abs(count(*) - ${posts} / 400.0), 1 LIMIT 1`,
      ),
    ),
    wide: Number(
      await one("a width", "SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY image_width) AS value FROM posts"),
    ),
    middle: Math.round(posts / 2),
  };
}

type One = (what: string, statement: string, values?: unknown[]) => Promise<string>;

const picker =
  (client: pg.Client): One =>
  async (what, statement, values = []) => {
    const { rows } = await client.query<{ value: string | number | null }>(statement, values);
    const value = rows[0]?.value ?? null;
    if (value === null) throw new SampleError(`the board lacks ${what}`);
    return String(value);
  };

const NEAREST = "SELECT name AS value FROM tags WHERE post_count > 0 ORDER BY abs(post_count - $1), id LIMIT 1";

const dateOf = (later: string): string =>
  `SELECT to_char((created_at + ${later === "0" ? "interval '0'" : later}) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS value
     FROM posts WHERE id = (SELECT max(id) / 2 FROM posts)`;

/** The most frequent tag of a sample of the first tenth that is rare later. */
const OLD = `
  WITH early AS (
    SELECT tag, count(*) * 5 AS posts FROM posts, unnest(tag_ids) AS tag
     WHERE id <= (SELECT max(id) / 10 FROM posts) AND id % 5 = 0 GROUP BY tag)
  SELECT name AS value FROM early JOIN tags ON tags.id = early.tag
   WHERE post_count > 100 ORDER BY early.posts >= 0.9 * post_count DESC, least(early.posts::float8 / post_count, 0.9) DESC, post_count DESC, tags.id LIMIT 1`;

const rare = (one: One, common: string, posts: number): Promise<string> =>
  one(
    "a rare tag",
    `WITH near AS (SELECT id, name, post_count FROM tags WHERE post_count > 0 ORDER BY abs(post_count - $2), id LIMIT 50)
     SELECT name AS value FROM near
      WHERE EXISTS (SELECT FROM posts WHERE tag_ids @> ARRAY[near.id, (SELECT id FROM tags WHERE name = $1)])
      ORDER BY abs(post_count - $2), id LIMIT 1`,
    [common, posts],
  );

interface TagRow {
  id: number;
  name: string;
  post_count: number;
}

async function commonest(client: pg.Client, count: number): Promise<TagRow[]> {
  const { rows } = await client.query<TagRow>(
    "SELECT id, name, post_count FROM tags ORDER BY post_count DESC, id LIMIT $1",
    [count],
  );
  return rows;
}

/** The next most used tags, as long as some posts have all of them. */
async function commonTags(client: pg.Client): Promise<Samples["common"]> {
  const chosen: TagRow[] = [];
  for (const tag of await commonest(client, 40)) {
    const ids = [...chosen, tag].map(({ id }) => id);
    const { rows } = await client.query<{ meet: boolean }>(
      "SELECT count(*) >= 20 AS meet FROM posts WHERE tag_ids @> $1::int[]",
      [ids],
    );
    if (rows[0]?.meet) chosen.push(tag);
    if (chosen.length === 5) return chosen.map(({ name }) => name) as Samples["common"];
  }
  throw new SampleError("the board lacks five common tags that meet");
}

/** The pair of most used tags that never occurs together. Most other pairs are excluded by a sample. */
async function apart(client: pg.Client): Promise<[string, string]> {
  const tags = await commonest(client, 40);
  const met = await client.query<{ a: number; b: number }>(
    `SELECT DISTINCT a, b FROM posts, unnest(tag_ids & $1::int[]) AS a, unnest(tag_ids & $1::int[]) AS b
      WHERE a < b AND id % greatest(1, (SELECT max(id) / 20000 FROM posts)) = 0`,
    [tags.map(({ id }) => id)],
  );
  const pairs = new Set(met.rows.map(({ a, b }) => `${a} ${b}`));
  for (const [index, second] of tags.entries()) {
    for (const first of tags.slice(0, index)) {
      if (pairs.has(`${Math.min(first.id, second.id)} ${Math.max(first.id, second.id)}`)) continue;
      const { rowCount } = await client.query("SELECT FROM posts WHERE tag_ids @> $1::int[] LIMIT 1", [
        [first.id, second.id],
      ]);
      if (rowCount === 0) return [first.name, second.name];
    }
  }
  throw new SampleError("the board lacks common tags that never meet");
}

/** Orders of magnitude: 1 to 9 posts, 10 to 99, and so on, as far as there are tags. */
async function decades(client: pg.Client): Promise<Decade[]> {
  const { rows } = await client.query<Decade>(
    `SELECT DISTINCT ON (size) 10 ^ size AS "from", name AS tag, post_count AS posts
       FROM tags, LATERAL floor(log(post_count)) AS size WHERE post_count > 0
      ORDER BY size, abs(log(post_count) - size - 0.5), id`,
  );
  return rows;
}

/** The prefix of this length that most tags share, with the tags that a wildcard of it matches. */
async function wildcard(client: pg.Client, letters: number): Promise<Wildcard> {
  const { rows } = await client.query<{ prefix: string }>(
    `SELECT left(name, $1) AS prefix FROM tags WHERE post_count > 0 AND name ~ '^[a-z]+' AND left(name, $1) !~ '[^a-z]'
      GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
    [letters],
  );
  const prefix = rows[0]?.prefix;
  if (prefix === undefined) throw new SampleError("the board lacks tags");
  const found = await client.query<{ name: string }>(
    "SELECT name FROM tags WHERE starts_with(name, $1) AND post_count > 0 ORDER BY post_count DESC, name LIMIT 100",
    [prefix],
  );
  return { pattern: `${prefix}*`, tags: found.rows.map(({ name }) => name) };
}
