/** Fills every listed table with many typical rows, in SQL, to test searches on a grown board. */
import pg from "pg";
import { withoutSpareIndexes } from "../../src/database/bulk-load.js";

/** Columns of a table and how row `n` fills them, as SQL; the other columns have their defaults. */
type Columns = Record<string, string>;

const SYLLABLES = "ba be bi bo bu ka ke ki ko ku la le li lo lu ma me mi mo mu ra re ri ro ru ta te ti to tu".split(
  " ",
);
const syllables = `('{${SYLLABLES.join(",")}}'::text[])`;

/** Some number that depends on `n` and the salt. */
const hash = (salt: number): string => `(hashint4(n + ${salt * 1_000_003}) & 2147483647)`;
/** A word of three syllables; each of the 27,000 is in some rows. */
const word = (salt: number): string =>
  [1, 30, 900].map((place) => `${syllables}[1 + ${hash(salt)} / ${place} % 30]`).join(" || ");
const text = (salt: number): string => [0, 1, 2].map((place) => word(10 * salt + place)).join(" || ' ' || ");
const every = (count: number): string => `(n % ${count} = 0)`;
/** One of the first 20,000 users: active ones have some dozen records. */
const user = (salt: number): string => `1 + ${hash(salt)} % 20000`;

const SCORE = `CASE WHEN ${every(5)} THEN -1 ELSE 1 END`;

const TIMES: Columns = {
  created_at: "timestamptz '2016-01-01' + n * interval '1 minute'",
  updated_at: "timestamptz '2020-01-01' + hashint4(n) % 1000000 * interval '1 minute'",
};
const FILE: Columns = {
  md5: "md5(n::text)",
  file_ext: "CASE WHEN n % 10 = 0 THEN 'png' ELSE 'jpg' END",
  file_size: "1000 + n",
  image_width: "500 + n % 1000",
  image_height: "500 + n % 777",
};
const NOTE: Columns = { post_id: "n", x: "n % 100", y: "n % 100", width: "20", height: "10", body: text(1) };
const RELATION: Columns = {
  antecedent_name: "'old_' || n",
  consequent_name: `'new_' || n % 50000`,
  creator_id: user(1),
  status: "CASE WHEN n % 100 = 0 THEN 'pending' WHEN n % 33 = 0 THEN 'deleted' ELSE 'active' END",
};
const TEXTS: Columns = {
  original_title: `CASE WHEN ${every(50)} THEN '' ELSE ${text(1)} END`,
  original_description: `CASE WHEN ${every(50)} THEN '' ELSE ${text(2)} END`,
  translated_title: `CASE WHEN ${every(3)} THEN ${text(3)} ELSE '' END`,
};
const ARTIST: Columns = {
  name: `CASE WHEN n % 10 = 5 THEN 'tag_' ELSE 'artist_' END || n`,
  other_names: `ARRAY['other_' || n, ${word(2)}]`,
  group_name: word(1),
  is_active: `NOT ${every(50)}`,
  is_banned: every(500),
};
const POOL: Columns = {
  name: `'pool_' || n`,
  description: text(1),
  category: "CASE WHEN n % 3 = 0 THEN 'collection' ELSE 'series' END",
  post_ids: "ARRAY[n, n + 1, n + 2]",
  is_active: `NOT ${every(50)}`,
  is_deleted: every(100),
};
const GROUP: Columns = {
  name: `'group_' || n`,
  post_ids: "ARRAY[n, n + 1, n + 2]",
  is_public: `NOT ${every(3)}`,
};
const WIKI: Columns = {
  title: `CASE WHEN ${every(2)} THEN 'tag_' ELSE 'page_' END || n`,
  body: text(1),
  other_names: `CASE WHEN ${every(20)} THEN ARRAY[${word(2)}] ELSE '{}' END`,
  is_locked: every(1000),
  is_deleted: every(100),
};
const VERSION: Columns = { version: "1", updater_id: user(9) };
const CREATOR: Columns = { creator_id: user(1) };

/**
 * Ids are 1, 2, 3 ... in every table, so that row `n` of one belongs to row `n` of the other. Tags with numbers below 10 are
 * on a tenth of all posts or more, those from 1,000 on one post.
 */
const TABLES: Record<string, Columns> = {
  users: {
    ...TIMES,
    name: "'filled_' || n",
    password_hash: `'$2b$04$' || repeat('a', 53)`,
    level: "('{20,20,20,20,20,20,30,30,32,35}'::int[])[1 + n % 10]",
    is_banned: every(500),
    post_upload_count: `${hash(1)} % 1000`,
    post_update_count: `${hash(2)} % 1000`,
    note_update_count: `${hash(3)} % 1000`,
    enable_private_favorites: every(20),
  },
  tags: {
    ...TIMES,
    name: `'tag_' || n`,
    category: "('{0,0,0,0,0,1,3,4,4,5}'::int[])[1 + n % 10]",
    post_count: "CASE WHEN n < 10 THEN 10000 WHEN n < 100 THEN 1000 WHEN n < 1000 THEN 100 ELSE (n < 90000)::int END",
  },
  media_files: FILE,
  posts: {
    ...TIMES,
    ...FILE,
    media_file_id: "n",
    uploader_id: user(1),
    approver_id: `CASE WHEN ${every(2)} THEN ${user(2)} END`,
    rating: "('{s,s,s,q,e}'::text[])[1 + n % 5]",
    source: "'https://example.com/' || md5(n::text)",
    parent_id: `CASE WHEN ${every(20)} THEN n - 1 END`,
    tag_ids: `ARRAY[1 + n % 9, 10 + n % 90, 100 + n % 900, 1000 + ${hash(3)} % 89000]`,
    tag_count: "4",
    tag_count_general: "4",
    up_score: "n % 100",
    score: "n % 100",
    fav_count: `${hash(4)} % 50`,
    is_deleted: every(50),
    last_comment_bumped_at: `CASE WHEN ${every(3)} THEN now() - n * interval '1 minute' END`,
    last_noted_at: `CASE WHEN ${every(3)} THEN now() - n * interval '1 minute' END`,
  },
  post_versions: { ...TIMES, ...VERSION, post_id: "n", rating: "'s'" },
  post_votes: { ...TIMES, user_id: "1 + n % 20000", post_id: "1 + n::bigint * 7919 % 100000", score: SCORE },
  comment_votes: { ...TIMES, user_id: "1 + n % 20000", comment_id: "1 + n::bigint * 7919 % 100000", score: SCORE },
  user_feedbacks: {
    ...TIMES,
    user_id: "n",
    creator_id: user(2),
    category: `CASE WHEN ${every(5)} THEN 'positive' ELSE 'negative' END`,
    body: text(1),
  },
  favorites: { created_at: TIMES.created_at ?? "", user_id: "1 + n % 20000", post_id: "1 + n::bigint * 7919 % 100000" },
  comments: {
    ...TIMES,
    ...CREATOR,
    post_id: `1 + ${hash(2)} % 100000`,
    body: text(1),
    score: `${hash(3)} % 40 - 20`,
    is_deleted: every(50),
    is_sticky: every(1000),
    do_not_bump_post: every(20),
  },
  notes: { ...TIMES, ...CREATOR, ...NOTE, is_active: `NOT ${every(50)}` },
  note_versions: { ...TIMES, ...VERSION, ...NOTE, note_id: "n" },
  artists: { ...TIMES, ...CREATOR, ...ARTIST },
  artist_urls: {
    artist_id: "n",
    url: "'https://example.com/' || md5(n::text)",
    normalized_url: "'http://example.com/' || md5(n::text) || '/'",
    is_active: `NOT ${every(50)}`,
  },
  artist_versions: { ...TIMES, ...VERSION, ...ARTIST, artist_id: "n" },
  artist_commentaries: { ...TIMES, ...TEXTS, post_id: "n" },
  artist_commentary_versions: { ...TIMES, ...VERSION, ...TEXTS, post_id: "n", artist_commentary_id: "n" },
  pools: { ...TIMES, ...CREATOR, ...POOL, post_count: "3" },
  pool_versions: { ...TIMES, ...VERSION, ...POOL, pool_id: "n" },
  favorite_groups: { ...TIMES, ...CREATOR, ...GROUP, post_count: "3" },
  favorite_group_versions: { ...TIMES, ...VERSION, ...GROUP, favorite_group_id: "n" },
  wiki_pages: { ...TIMES, ...CREATOR, ...WIKI, updater_id: user(2) },
  wiki_page_versions: { ...TIMES, ...VERSION, ...WIKI, wiki_page_id: "n" },
  tag_aliases: { ...TIMES, ...RELATION },
  tag_implications: { ...TIMES, ...RELATION },
  forum_topics: {
    ...TIMES,
    ...CREATOR,
    updater_id: user(2),
    title: text(1),
    category_id: "CASE WHEN n % 97 = 0 THEN 2 ELSE n % 2 END",
    min_level: "CASE WHEN n % 101 = 0 THEN 40 ELSE 0 END",
    is_sticky: every(10_000),
    is_locked: every(1000),
    is_deleted: every(103),
  },
  forum_posts: {
    ...TIMES,
    ...CREATOR,
    updater_id: user(2),
    topic_id: "n",
    body: text(1),
    is_deleted: every(100),
  },
  dmails: {
    ...TIMES,
    owner_id: `CASE WHEN ${every(10)} THEN 1 ELSE ${user(1)} END`,
    to_id: `CASE WHEN ${every(10)} THEN 1 ELSE ${user(1)} END`,
    from_id: user(2),
    title: word(1),
    body: text(2),
    is_read: `NOT ${every(200)}`,
  },
  post_flags: {
    ...TIMES,
    ...CREATOR,
    post_id: "n",
    reason: text(1),
    is_resolved: `NOT ${every(100)}`,
    is_deletion: every(20),
  },
  post_appeals: { ...TIMES, ...CREATOR, post_id: "n", reason: text(1) },
  uploads: {
    ...TIMES,
    uploader_id: user(1),
    post_id: `CASE WHEN ${every(20)} THEN NULL ELSE n END`,
    rating: "'s'",
    source: "'https://example.com/' || md5(n::text)",
    status: `CASE WHEN ${every(20)} THEN 'error: duplicate: ' || n ELSE 'completed' END`,
  },
  bans: {
    ...TIMES,
    user_id: "n",
    banner_id: user(2),
    reason: text(1),
    expires_at: `CASE WHEN ${every(10)} THEN NULL ELSE now() - n * interval '1 minute' + interval '1 day' END`,
  },
  mod_actions: {
    ...TIMES,
    ...CREATOR,
    category: `CASE WHEN ${every(50)} THEN 'user_ban' ELSE 'post_delete' END`,
    description: text(1),
    subject_type: `CASE WHEN ${every(50)} THEN 'User' ELSE 'Post' END`,
    subject_id: "n",
  },
};

/** The tables that are filled. */
export const FILLED_TABLES = Object.keys(TABLES);

/** Fills a database, without statistics of it for PostgreSQL; of what it has, only users are kept. @param rows rows of each table, its ids being 1 to `rows` */
export async function fillTables(url: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET maintenance_work_mem = '256MB'; SET max_parallel_maintenance_workers = 0");
    await client.query("SET session_replication_role = replica; SET jit = off");
    await client.query("BEGIN");
    const tables = [...FILLED_TABLES, "post_counts"];
    // a table that is new in its transaction is filled without the log
    await client.query(`TRUNCATE ${tables.filter((table) => table !== "users").join(", ")} CASCADE`);
    await withoutSpareIndexes(client, tables, async () => {
      for (const [table, columns] of Object.entries(TABLES)) await fill(client, table, columns, rows);
      await client.query("SELECT fill_post_counts()");
    });
    await client.query("COMMIT");
    await client.query("VACUUM");
  } finally {
    await client.end();
  }
}

function fill(client: pg.Client, table: string, columns: Columns, rows: number): Promise<unknown> {
  return client.query(
    `INSERT INTO ${table} (id, ${Object.keys(columns).join(", ")})
     SELECT n, ${Object.values(columns).join(", ")} FROM generate_series(1, ${rows}) AS n
      WHERE NOT EXISTS (SELECT FROM ${table} WHERE id = n)`,
  );
}
