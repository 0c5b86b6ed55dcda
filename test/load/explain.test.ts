/**
 * Every search and every order of every list is served by an index, on tables of 100,000 rows: neither a sequential scan
 * nor a walk through half of an index. The values are chosen so that a search finds few records, if its attribute allows that.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { fillTables } from "../support/fill.js";
import {
  explain,
  explainPrepared,
  type PlanNode,
  type RecordedStatement,
  recordStatements,
  scansOf,
} from "../support/plans.js";

const ROWS = 100_000;

let test: TestBoard;
let admin: TestUser;
let explainer: pg.Client;

beforeAll(async () => {
  test = await startBoard({ STATEMENT_TIMEOUT_MS: "30000" });
  admin = await test.make.user("Admin");
  await fillTables(test.board.databaseUrl, ROWS);
  explainer = new pg.Client({ connectionString: test.board.databaseUrl });
  await explainer.connect();
  await explainer.query("ANALYZE");
}, 400_000);
afterAll(async () => {
  await explainer?.end();
  await test?.[Symbol.asyncDispose]();
});

/** A word that is in some rows, a part of one, a user, and the tags of post 777. */
const WORD = "makuri";
const PART = "akuri tam";
const PATTERN = `*${PART}*`;
const NAME = "filled_777";
const TAGS = "tag_4 tag_67";

const HAS_CREATOR: Params[] = [{ creator_id: 777 }, { creator_name: NAME }, { creator_name: "nobody" }];
const HAS_UPDATER: Params[] = [{ updater_id: 777 }, { updater_name: NAME }];
const YES_NO = ["true", "false"];
const both = (key: string): Params[] => YES_NO.map((value) => ({ [key]: value }));
const orders = (...words: string[]): Params[] => words.map((order) => ({ order }));
/** Of a text whose words are searched, and of one of which a part is searched. */
const words = (key: string): Params[] => [{ [key]: WORD }, { [key]: PATTERN }];
const parts = (key: string): Params[] => [{ [key]: PART }, { [key]: PATTERN }];

const ARTISTS: Params[] = [
  { id: "777,778" },
  ...["artist_777", "*tist_77777*", "name:artist_777", "other:other_777", "other:*ther_77777*"].map((name) => ({
    name,
  })),
  ...[`group:${WORD}`, "group:*akur*", "status:banned", "status:active", "http://example.com/f1"].map((name) => ({
    name,
  })),
  { any_name_matches: "artist_777" },
  { any_name_matches: "*tist_77777*" },
  { url_matches: "f1c1592588411002af340cbaedd6fc33" },
  { url_matches: "*f1c1592588411002af34*" },
  { group_name: WORD },
  ...HAS_CREATOR,
  ...["is_active", "is_deleted", "is_banned"].flatMap(both),
  { empty_only: "true" },
  ...orders("name", "date", "updated_at", "post_count"),
];
const RELATIONS: Params[] = [
  { id: 777 },
  { name_matches: "old_777" },
  { name_matches: "*ld_77777*" },
  { antecedent_name: "old_777" },
  { consequent_name: "new_777" },
  ...["pending", "active", "deleted", "retired"].map((status) => ({ status })),
  ...orders("created_at", "updated_at", "name"),
];

/** List -> what `search` says, one list after the other; `{}` is the list itself. */
const LISTS: Record<string, Params[]> = {
  "/post_flags": [
    { post_id: 777 },
    ...HAS_CREATOR,
    ...parts("reason_matches"),
    ...both("is_resolved"),
    ...["normal", "unapproved", "rejected", "banned"].map((category) => ({ category })),
  ],
  "/post_appeals": [{ post_id: 777 }, ...HAS_CREATOR, ...parts("reason_matches"), ...both("is_resolved")],
  "/uploads": [
    { uploader_id: 777 },
    { uploader_name: NAME },
    { post_id: 777 },
    { status: "completed" },
    { status: "pending" },
    { source: "https://example.com/f1c1592588411002af340cbaedd6fc33" },
  ],
  "/comments": [
    ...words("body_matches"),
    { post_id: 777 },
    { post_tags_match: TAGS },
    { post_tags_match: "tag_4" },
    ...HAS_CREATOR,
    ...["is_deleted", "is_sticky", "do_not_bump_post"].flatMap(both),
    ...orders("id", "id_asc", "post_id", "post_id_asc", "score", "score_asc", "updated_at", "updated_at_asc"),
  ],
  "/dmails": [
    ...words("message_matches"),
    { to_name: NAME },
    { to_id: 777 },
    { from_name: NAME },
    { from_id: 777 },
    ...both("read"),
  ],
  "/artists": ARTISTS,
  "/artists/banned": [{}, ...orders("name", "date")],
  "/artist_urls": [{ artist_id: 777 }, { url_matches: "*f1c1592588411002af34*" }, ...both("is_active")],
  "/notes": [
    ...words("body_matches"),
    { post_id: 777 },
    { post_tags_match: TAGS },
    ...HAS_CREATOR,
    ...both("is_active"),
  ],
  "/users": [
    { name: NAME },
    { name: "*lled_77777*" },
    { name_matches: "filled_7777*" },
    { level: 35 },
    { level: 50 },
    { min_level: 32 },
    { min_level: 50 },
    { max_level: 20 },
    { max_level: 10 },
    { min_level: 30, max_level: 32 },
    { id: 777 },
    ...orders("name", "post_upload_count", "note_count", "post_update_count", "date"),
  ],
  "/post_versions": [...HAS_UPDATER, { post_id: 777 }, { start_id: 777 }],
  "/note_versions": [...HAS_UPDATER, { post_id: 777 }, { note_id: 777 }],
  "/artist_versions": [
    { name: "artist_777" },
    { name: "*tist_77777*" },
    ...HAS_UPDATER,
    { artist_id: 777 },
    ...["is_active", "is_banned"].flatMap(both),
    ...orders("name", "date"),
  ],
  "/pool_versions": [...HAS_UPDATER, { pool_id: 777 }],
  "/favorite_group_versions": [...HAS_UPDATER, { favorite_group_id: 777 }],
  "/favorite_groups": [
    { name_matches: "oup_777" },
    { name_matches: "*roup_77777*" },
    ...HAS_CREATOR,
    ...both("is_public"),
    { post_ids_include_all: "777 778" },
    { post_ids_include_any: "777 778" },
  ],
  "/artist_commentary_versions": [...HAS_UPDATER, { post_id: 777 }],
  "/wiki_page_versions": [...HAS_UPDATER, { wiki_page_id: 777 }],
  "/pools": [
    { name_matches: "ool_777" },
    { name_matches: "*ool_77777*" },
    { name: "pool_777" },
    ...HAS_CREATOR,
    ...parts("description_matches"),
    { description_matches: "*akuri tam*" },
    ...["is_active", "is_deleted"].flatMap(both),
    { post_ids_include_all: "777 778" },
    ...orders("name", "created_at", "post_count", "date"),
    ...["series", "collection"].map((category) => ({ category })),
  ],
  "/tags": [
    { name_matches: "tag_777*" },
    { name_matches: "*ag_777" },
    ...["0", "1", "3", "4", "5"].map((category) => ({ category })),
    { name: "tag_777,tag_778" },
    ...["hide_empty", "has_wiki", "has_artist"].flatMap(both),
    ...orders("name", "date", "count"),
  ],
  "/tag_aliases": RELATIONS,
  "/tag_implications": RELATIONS,
  "/wiki_pages": [
    { title: "page_777" },
    { title: "*age_77777*" },
    ...HAS_CREATOR,
    ...words("body_matches"),
    ...parts("other_names_match"),
    ...["other_names_present", "is_deleted", "is_locked", "hide_deleted"].flatMap(both),
    ...orders("date", "title"),
  ],
  "/forum_topics": [
    { title_matches: WORD },
    { title_matches: PATTERN },
    { title: "no such title" },
    { category_id: 0 },
    { category_id: 2 },
    ...HAS_CREATOR,
    ...["is_sticky", "is_locked", "is_deleted"].flatMap(both),
  ],
  "/forum_posts": [
    ...HAS_CREATOR,
    { topic_id: 777 },
    ...words("topic_title_matches"),
    { topic_category_id: 0 },
    { topic_category_id: 2 },
    ...words("body_matches"),
    ...both("is_deleted"),
  ],
  "/artist_commentaries": [
    ...parts("text_matches"),
    { post_id: 777 },
    { post_tags_match: TAGS },
    ...["original_present", "translated_present"].flatMap(both),
  ],
  "/favorites": [{ user_id: 777 }, { user_name: NAME }, { post_id: 777 }],
  "/post_votes": [{ user_id: 777 }, { user_name: NAME }, { post_id: 777 }, { score: -1 }],
  "/comment_votes": [{ user_id: 777 }, { user_name: NAME }, { comment_id: 777 }, { score: -1 }],
  "/user_feedbacks": [
    { user_id: 777 },
    { user_name: NAME },
    ...HAS_CREATOR,
    { category: "positive" },
    { category: "neutral" },
  ],
  "/mod_actions": [
    ...HAS_CREATOR,
    { category: "user_ban" },
    { category: "none" },
    ...parts("description_matches"),
    { subject_type: "User" },
    { subject_type: "Nothing" },
    { subject_type: "Post", subject_id: 777 },
    { subject_id: 777 },
  ],
  "/bans": [
    { user_id: 777 },
    { user_name: NAME },
    { banner_id: 777 },
    { banner_name: NAME },
    ...parts("reason_matches"),
    ...both("expired"),
  ],
};

const requests = Object.entries(LISTS).flatMap(([list, searches]) =>
  [{}, ...searches].map((search): [path: string, params: Params] => [`${list}.json`, { search }]),
);
const grouped: [string, Params][] = ["/comments.json", "/notes.json"].flatMap((path) =>
  [{}, { body_matches: WORD }, { creator_name: NAME }, { post_tags_match: TAGS }].map((search): [string, Params] => [
    path,
    { group_by: "post", search },
  ]),
);
const long: [string, Params][] = [["/artists.json", { limit: 1000, search: { empty_only: "true" } }]];
/** Without `notes_asc` and `modqueue`, which begin with posts that have no note or appeal: each has one in these tables. */
const postOrders: [string, Params][] = [
  ..."id id_desc score score_asc favcount favcount_asc created_at created_at_asc updated_at updated_at_asc".split(" "),
  ..."comment comment_asc comment_bumped comment_bumped_asc note note_asc mpixels mpixels_asc portrait".split(" "),
  ..."landscape filesize filesize_asc tagcount tagcount_asc gentags gentags_asc arttags chartags copytags".split(" "),
  ..."comment_count comment_count_asc deleted_comments deleted_comments_asc notes child_count pools".split(" "),
  ..."deleted_pools_asc approvals approvals_asc duration duration_asc artcomm artcomm_asc".split(" "),
].map((order) => ["/posts.json", { tags: `order:${order}` }]);
/** A flag that no post has; ranges of a few posts, or of the newest ones from the oldest of them on. */
const postRanges: [string, Params][] = [
  { tags: "embedded:yes" },
  { tags: "mpixels:>1.9" },
  { tags: "mpixels:1.89..1.9" },
  { tags: "mpixels:1.9" },
  { tags: "mpixels:<0.42 order:height" },
  { tags: "duration:>10" },
  { tags: "date:2016-03 order:id" },
  { tags: "date:>2016-03-01 order:id" },
  { tags: "date:2016-03", page: "a1" },
  { tags: "date:>2016-03-01 order:deleted_pools_asc" },
  { tags: "-tagcount:<=4" },
  { tags: "rating:s -score:..99 -tag_4 order:id" },
].map((search) => ["/posts.json", search]);
/** Conditions on the pools of a post, that many posts match or few. */
const postPools: [string, Params][] = [
  ..."pool:any pool:series pool:collection has:pools pools:3 pools:>3 deleted_pools:>0".split(" "),
  ..."deleted_pools:>3 collection_pools:1..3 active_pools:<4".split(" "),
].map((tags) => ["/posts.json", { tags }]);
/** Numbers of other records, that many posts have or few. */
const postNumbers: [string, Params][] = [
  ..."comments:>0 comments:0 comments:3 comments:>5 comments:<3 deleted_comments:>0 deleted_comments:>3 notes:1".split(
    " ",
  ),
  ..."active_notes:0 flags:>1 appeals:1 approvals:>0 approvals:0 children:>0 children:>3 deleted_children:>0".split(
    " ",
  ),
  ..."child:deleted parent:pending has:appeals -pool:none -comments:0".split(" "),
].map((tags) => ["/posts.json", { tags }]);
/** Ranges that PostgreSQL compares one after the other: a count takes as long as that of one range of millions of posts. */
const RANGES = `width:${Array.from({ length: 20 }, (_, end) => `${end}..${9999 + end}`).join(",")}`;
const postCounts: [string, Params][] = ["rating:s embedded:no", RANGES].map((tags) => ["/counts/posts.json", { tags }]);

const title = ([path, params]: [string, Params]): string => `${path} ${JSON.stringify(params)}`;

/** Lists that don't say the same to everybody are asked for by a visitor too. */
const VARIES = /comments|favorites|flags|forum|pools|posts/;
const clientsOf = (path: string): Client[] => (VARIES.test(path) ? [admin.client, test.anonymous] : [admin.client]);

/**
 * The scans that read more than `much` rows and that a statement's plan has whatever rows PostgreSQL's statistics were made of. They are of a random sample, by which
 * one in 20 patterns with 50 matches seems to have 1,000, so that reading the rows in order seems to find a page of them soon.
 */
async function scansInAllSamples(plan: () => Promise<PlanNode>, much: number): Promise<string[]> {
  let found: string[] = [];
  for (let sample = 1; sample <= 5; sample += 1) {
    found = scansOf(await plan(), much);
    if (found.length === 0) break;
    await explainer.query("ANALYZE");
  }
  return found;
}

describe("GET, on tables of 100,000 rows: no table is read from end to end", () => {
  it.each(
    [...requests, ...grouped, ...long, ...postOrders, ...postRanges, ...postPools, ...postNumbers, ...postCounts].map(
      (request) => [title(request), request] as const,
    ),
  )("%s", async (_title, [path, params]) => {
    const found: string[] = [];
    for (const client of clientsOf(path)) {
      let status = 0;
      const statements: RecordedStatement[] = await recordStatements(async () => {
        status = (await client.get(path, params)).status;
      });
      expect([200, 403]).toContain(status);
      for (const statement of statements) {
        found.push(...(await scansInAllSamples(() => explain(explainer, statement), ROWS / 2)));
      }
    }
    expect(found).toEqual([]);
  });
});

/** Who may see the records depends on those of another table. */
const ON_OTHERS = new Set(["/forum_posts", "/favorite_group_versions"]);

describe("GET, on tables of 100,000 rows: a far page reads other tables for its own records only", () => {
  it.each(Object.keys(LISTS).filter((list) => !ON_OTHERS.has(list)))("%s", async (list) => {
    const table = list.slice(1).replace("/banned", "");
    const get = async () => void (await admin.client.get(`${list}.json`, { page: 50, limit: 100 }));
    const scans: string[] = [];
    for (const statement of await recordStatements(get))
      scans.push(...scansOf(await explain(explainer, statement), 200));
    expect(scans.filter((scan) => !scan.includes(` ${table}:`))).toEqual([]);
  });
});

describe("GET /posts.json, prepared for all values: no table is read from end to end by", () => {
  it.each(
    "-has:comments|-has:notes|commenter:none|rating:s -has:comments|filetype:avif|-tag_4 filetype:avif|is:webp order:id".split(
      "|",
    ),
  )("%s", async (tags) => {
    const statements = await recordStatements(async () => void (await test.anonymous.get("/posts.json", { tags })));
    const found: string[] = [];
    for (const statement of statements) {
      found.push(...(await scansInAllSamples(() => explainPrepared(explainer, statement), ROWS / 4)));
    }
    expect(found).toEqual([]);
  });
});

describe("GET /posts.json in the order of the number of pools", () => {
  const ids = async (params: Params) => {
    const { json } = await test.anonymous.get("/posts.json", params);
    return (json as { id: number }[]).map(({ id }) => id);
  };

  it("reads ten posts for each of a page of a common tag", async () => {
    const scans: string[] = [];
    for (const statement of await recordStatements(async () => void (await ids({ tags: "tag_4 order:pools" }))))
      scans.push(...scansOf(await explain(explainer, statement), 0));
    expect(scans.filter((scan) => scan.includes("_kind_number_post_id_idx"))).toEqual([
      "Index Only Scan post_counts_kind_number_post_id_idx post_counts: 210 rows",
    ]);
  });

  it.each([
    ["tag_4", "TRUE"],
    ["tag_4 rating:e", "rating = 'e'"],
  ])("has the pages of a sort of all posts: %s", async (tags, condition) => {
    const { rows } = await explainer.query(
      `SELECT posts.id FROM posts LEFT JOIN post_counts counted ON counted.post_id = posts.id AND counted.kind = 'pools'
        WHERE tag_ids @> ARRAY(SELECT id FROM tags WHERE name = 'tag_4') AND ${condition}
        ORDER BY coalesce(number, 0) DESC, posts.id DESC LIMIT 60`,
    );
    const pages = await Promise.all([1, 2, 3].map((page) => ids({ tags: `${tags} order:pools`, page, limit: 20 })));
    expect(pages.flat()).toEqual((rows as { id: number }[]).map(({ id }) => id));
  });
});

it("GET /counts/posts.json estimates what would take long to count, without tags too, and counts few posts", async () => {
  const counts = async (tags: string) => (await test.anonymous.get("/counts/posts.json", { tags })).json as unknown;
  expect(await counts("rating:s embedded:no")).toEqual({ counts: { posts: 60_000, is_estimate: true } });
  expect(await counts(RANGES)).toEqual({ counts: { posts: 100_000, is_estimate: true } });
  expect(await counts("width:501")).toEqual({ counts: { posts: 100 } });
});

it("GET /counts/posts.json counts the posts of a short period, beside whatever else, and estimates those of a long one by its own posts", async () => {
  const counts = async (tags: string) => (await test.anonymous.get("/counts/posts.json", { tags })).json as unknown;
  const { rows } = await explainer.query("SELECT created_at FROM posts WHERE id IN (5001, 15001, 55001) ORDER BY id");
  const [from, soon, late] = (rows as { created_at: Date }[]).map((row) => row.created_at.toISOString());
  const rare = "embedded:no -tag_4 rating:s";
  const among = async (first: number, last: number) => {
    const found = await explainer.query(
      "SELECT count(*)::int AS n FROM posts WHERE id >= $1 AND id < $2 AND rating = 's' AND NOT tag_ids @> ARRAY(SELECT id FROM tags WHERE name = 'tag_4')",
      [first, last],
    );
    return (found.rows as { n: number }[])[0]?.n ?? 0;
  };
  expect(await counts(`date:${from}...${soon} ${rare}`)).toEqual({ counts: { posts: await among(5001, 15001) } });
  const number = Number((await among(5001, 55001)).toPrecision(2));
  expect(await counts(`date:${from}...${late} ${rare}`)).toEqual({ counts: { posts: number, is_estimate: true } });
});

it("totalCount of other lists than posts estimates what would take long to count too, and counts few records", async () => {
  await explainer.query(`
    SET session_replication_role = replica;
    INSERT INTO favorites (id, user_id, post_id) SELECT 100001 + n, 30001 + n / 100000, 1 + n % 100000 FROM generate_series(0, 399999) AS n;
    RESET session_replication_role`);
  await explainer.query("VACUUM ANALYZE favorites");
  const totals = async (search: string) =>
    (await admin.client.graphql(`{ favorites${search} { totalCount isTotalCountEstimate } }`)).json.data
      .favorites as unknown;
  expect(await totals("")).toEqual({ totalCount: 500_000, isTotalCountEstimate: true });
  const some = "(search: { userId: [30001, 30002, 30003, 30004] })";
  expect(await totals(some)).toEqual({ totalCount: 400_000, isTotalCountEstimate: true });
  expect(await totals("(search: { postId: [777] })")).toEqual({ totalCount: 5, isTotalCountEstimate: false });
});

it.each(["ordfav:filled_30001", "tag_4 ordfav:filled_30001", "score:>=0 ordfav:filled_30001"])(
  "GET /posts.json reads the newest of 100,000 favorites only: %s",
  async (tags) => {
    const get = async () => void (await admin.client.get("/posts.json", { tags }));
    const found: string[] = [];
    for (const statement of await recordStatements(get))
      found.push(...scansOf(await explainPrepared(explainer, statement), 2000));
    expect(found).toEqual([]);
  },
);

it.each([
  "parent:banned order:score",
  "locked:status or tag_500",
  "embedded:yes or width:9999 or tag_500 order:score",
  "user:filled_777 or tag_500",
  "fav:filled_777 or user:filled_777 or commenter:filled_777",
  "md5:f1c1592588411002af340cbaedd6fc33 or parent:777 or source:nowhere* or mpixels:900 or tag_500",
  "-embedded:no",
])("GET /posts.json finds the few posts of a state, or of a rare tag, in any order: %s", async (tags) => {
  const get = async () => void (await admin.client.get("/posts.json", { tags }));
  const found: string[] = [];
  for (const statement of await recordStatements(get))
    found.push(...scansOf(await explainPrepared(explainer, statement), 2000));
  expect(found).toEqual([]);
});

/** Lists whose matches are rare, or are all last in their order, so that a page is not soon found in it. */
const HIDDEN: [string, Params][] = [
  ["/comments.json", { body_matches: "bygone" }],
  ["/comments.json", { body_matches: "olden" }],
  ["/comments.json", { body_matches: "bygone", order: "score" }],
  ["/comments.json", { body_matches: "olden", order: "score" }],
  ["/comments.json", { post_tags_match: "tag_500" }],
  ["/comments.json", { post_id: Array.from({ length: 1000 }, (_, n) => 9_000_000 + n).join() }],
  ["/notes.json", { post_tags_match: "tag_500" }],
  ["/artist_commentaries.json", { post_tags_match: "tag_500" }],
  ["/pools.json", { post_ids_include_all: "777" }],
  ["/favorite_groups.json", { post_ids_include_all: "777" }],
  ["/favorite_groups.json", { post_ids_include_any: "777 778" }],
  ["/pools.json", { post_ids_include_all: Array.from({ length: 1000 }, (_, n) => n + 1).join(" ") }],
  ["/post_versions.json", { changed_tags: "tag_500" }],
  ["/post_versions.json", { added_tags_include_all: "tag_500" }],
  ["/post_versions.json", { changed_tags: "no_such_tag" }],
];

describe("GET finds records that are rare, or last in the order, without reading the others", () => {
  beforeAll(async () => {
    await explainer.query("UPDATE comments SET body = body || ' bygone' WHERE id <= 1500");
    await explainer.query("UPDATE comments SET body = body || ' olden', score = -20 WHERE id BETWEEN 1501 AND 8000");
    await explainer.query("VACUUM ANALYZE comments");
  });
  it.each(HIDDEN.map(([path, search]) => [title([path, search]).slice(0, 80), path, search] as const))(
    "%s",
    async (_title, path, search) => {
      const get = async () => expect((await test.anonymous.get(path, { search })).status).toBe(200);
      const found: string[] = [];
      for (const statement of await recordStatements(get))
        found.push(...(await scansInAllSamples(() => explain(explainer, statement), 10_000)));
      expect(found).toEqual([]);
    },
  );

  it("nor others of the owner's dmails than the newest, if most have the word", async () => {
    await explainer.query(
      `UPDATE dmails SET owner_id = ${admin.id}, to_id = ${admin.id}, body = body || ' harbor' WHERE id % 2 = 0`,
    );
    await explainer.query("VACUUM ANALYZE dmails");
    for (const word of ["harbor", "*arbo*"]) {
      const get = async () =>
        expect((await admin.client.get("/dmails.json", { search: { message_matches: word } })).json).toHaveLength(20);
      for (const statement of await recordStatements(get))
        expect(await scansInAllSamples(() => explain(explainer, statement), 1_000)).toEqual([]);
    }
  });

  it.each(["bygone", "olden", "*u*"])("and finds the same records as a list of all: %s", async (word) => {
    const like = word.includes("*") ? word.replaceAll("*", "%") : `% ${word}`;
    const ids = async (rest: string) => {
      const { rows } = await explainer.query(`SELECT id FROM comments WHERE body LIKE $1 AND NOT is_deleted ${rest}`, [
        like,
      ]);
      return (rows as { id: number }[]).map(({ id }) => id);
    };
    const page = async (params: Params) => {
      const search = { body_matches: word, ...(params.order ? { order: params.order } : {}) };
      const { json } = await test.anonymous.get("/comments.json", { ...params, search, limit: 100 });
      return (json as { id: number }[]).map(({ id }) => id);
    };
    expect(await page({})).toEqual(await ids("ORDER BY id DESC LIMIT 100"));
    expect(await page({ page: 3 })).toEqual(await ids("ORDER BY id DESC LIMIT 100 OFFSET 200"));
    expect(await page({ page: 60 })).toEqual(await ids("ORDER BY id DESC LIMIT 100 OFFSET 5900"));
    expect(await page({ page: "b1000" })).toEqual(await ids("AND id < 1000 ORDER BY id DESC LIMIT 100"));
    expect(await page({ page: "a1000" })).toEqual((await ids("AND id > 1000 ORDER BY id LIMIT 100")).toReversed());
    expect(await page({ order: "score", page: 2 })).toEqual(
      await ids("ORDER BY score DESC, id DESC LIMIT 100 OFFSET 100"),
    );
  });
});

it.each<[string, string]>([
  ["post", "post_versions"],
  ["note", "note_versions"],
])("GET of the versions of a %s that has thousands, all old, reads no others than its own", async (record, table) => {
  await explainer.query(`
    SET session_replication_role = replica;
    UPDATE ${table} SET ${record}_id = 777, version = 1000 + id WHERE id <= 3000;
    RESET session_replication_role`);
  await explainer.query(`VACUUM ANALYZE ${table}`);
  const get = async (params: Params) => {
    const { json } = await admin.client.get(`/${table}.json`, { search: { [`${record}_id`]: 777 }, ...params });
    return (json as { id: number }[]).map(({ id }) => id);
  };
  const found: string[] = [];
  for (const statement of await recordStatements(async () => void (await get({}))))
    found.push(...(await scansInAllSamples(() => explain(explainer, statement), 10_000)));
  expect(found).toEqual([]);
  const { rows } = await explainer.query(`SELECT id FROM ${table} WHERE ${record}_id = 777 ORDER BY id DESC LIMIT 60`);
  const pages = await Promise.all([1, 2, 3].map((page) => get({ page, limit: 20 })));
  expect(pages.flat()).toEqual((rows as { id: number }[]).map(({ id }) => id));
});

it("GET of the favorites of a post that has thousands, all old, reads no others than its own", async () => {
  await explainer.query(`
    SET session_replication_role = replica;
    INSERT INTO favorites (id, user_id, post_id) SELECT -n, 10000 + n, 778 FROM generate_series(1, 3000) AS n
      ON CONFLICT DO NOTHING;
    RESET session_replication_role`);
  await explainer.query("VACUUM ANALYZE favorites");
  const found: string[] = [];
  for (const path of ["/favorites.json?search[post_id]=778", "/posts/778/favorites.json"]) {
    const get = async () => expect((await admin.client.get(path)).json).toHaveLength(20);
    for (const statement of await recordStatements(get))
      found.push(...(await scansInAllSamples(() => explain(explainer, statement), 10_000)));
  }
  expect(found).toEqual([]);
});

describe("GET by a tag of 6,000 posts, the oldest", () => {
  beforeAll(async () => {
    await explainer.query(`
      SET session_replication_role = replica;
      INSERT INTO tags (id, name, post_count) VALUES (100001, 'bygone_tag', 6000);
      UPDATE posts SET tag_ids = tag_ids || 100001, tag_count = 5, tag_count_general = 5 WHERE id <= 6000;
      RESET session_replication_role`);
    await explainer.query("VACUUM ANALYZE posts");
  });

  it.each<[string, Params]>([
    ["/comments.json", {}],
    ["/comments.json", { page: 150 }],
    ["/comments.json", { page: "b60000" }],
    ["/notes.json", {}],
    ["/artist_commentaries.json", {}],
    ["/comments.json", { group_by: "post", page: 150 }],
    ["/notes.json", { group_by: "post", page: 150 }],
  ])("%s %o reads no other posts than its own, beyond the first 2,000 records", async (path, params) => {
    const get = async () =>
      expect((await test.anonymous.get(path, { ...params, search: { post_tags_match: "bygone_tag" } })).status).toBe(
        200,
      );
    const found: string[] = [];
    for (const statement of await recordStatements(get))
      found.push(...(await scansInAllSamples(() => explain(explainer, statement), 10_000)));
    expect(found).toEqual([]);
  });

  it("beside a comment's author, the comments of the author are read only", async () => {
    const search = { post_tags_match: "bygone_tag", creator_id: 777 };
    const found: string[] = [];
    for (const statement of await recordStatements(
      async () => void (await admin.client.get("/comments.json", { search })),
    ))
      found.push(...(await scansInAllSamples(() => explain(explainer, statement), 1_000)));
    expect(found).toEqual([]);
  });

  it("finds the same comments as a list of all", async () => {
    const ids = async (rest: string) => {
      const { rows } = await explainer.query(`SELECT id FROM comments WHERE post_id <= 6000 ${rest}`);
      return (rows as { id: number }[]).map(({ id }) => id);
    };
    const page = async (params: Params, search: Params = {}) => {
      const given = { ...params, search: { post_tags_match: "bygone_tag", ...search }, limit: 100 };
      return ((await admin.client.get("/comments.json", given)).json as { id: number }[]).map(({ id }) => id);
    };
    expect(await page({})).toEqual(await ids("ORDER BY id DESC LIMIT 100"));
    expect(await page({ page: 40 })).toEqual(await ids("ORDER BY id DESC LIMIT 100 OFFSET 3900"));
    expect(await page({ page: "b9000" })).toEqual(await ids("AND id < 9000 ORDER BY id DESC LIMIT 100"));
    expect(await page({ page: "a9000" })).toEqual((await ids("AND id > 9000 ORDER BY id LIMIT 100")).toReversed());
    expect(await page({ page: 2 }, { order: "score" })).toEqual(
      await ids("ORDER BY score DESC, id DESC LIMIT 100 OFFSET 100"),
    );
  });

  it("a list of fewer records than the tag has posts reads the posts of these records only", async () => {
    await explainer.query(`
      SET session_replication_role = replica;
      DELETE FROM artist_commentaries WHERE post_id <= 99000;
      RESET session_replication_role`);
    await explainer.query("VACUUM ANALYZE artist_commentaries");
    const search = { post_tags_match: "bygone_tag" };
    const found: string[] = [];
    for (const statement of await recordStatements(async () => {
      expect((await test.anonymous.get("/artist_commentaries.json", { search })).json).toEqual([]);
    }))
      found.push(...(await scansInAllSamples(() => explain(explainer, statement), 3_000)));
    expect(found).toEqual([]);
  });
});

it("totalCount of comments on posts with a common tag is estimated from a sample: testing the post of each took seconds", async () => {
  const { rows } = await explainer.query(`
    SELECT count(*)::int AS count FROM comments JOIN posts ON posts.id = post_id
     WHERE tag_ids @> ARRAY(SELECT id FROM tags WHERE name = 'tag_4')`);
  const { json } = await admin.client.graphql(
    `{ comments(search: { postTagsMatch: "tag_4" }) { totalCount isTotalCountEstimate } }`,
  );
  const { totalCount, isTotalCountEstimate } = json.data.comments as Record<string, number>;
  expect(isTotalCountEstimate).toBe(true);
  expect((totalCount as number) / (rows as { count: number }[])[0]!.count).toBeCloseTo(1, 1);
});

it("totalCount of forum posts looks up the topics of those that it counts, not all", async () => {
  const get = async () => void (await admin.client.graphql("{ forumPosts { totalCount } }"));
  const scans: string[] = [];
  for (const statement of await recordStatements(get))
    scans.push(...scansOf(await explain(explainer, statement), ROWS / 2 + 1));
  expect(scans).toEqual([]);
});

it("after 20,000 edits, at most 64 kB of the index of tags are a list that searches read from end to end", async () => {
  await explainer.query("UPDATE posts SET updated_at = now() WHERE id <= 20000");
  const { rows } = await explainer.query("SELECT gin_clean_pending_list('posts_tag_ids_idx')::int AS pages");
  expect((rows as { pages: number }[])[0]?.pages).toBeLessThanOrEqual(9); // of 8 kB; the last write may begin another
});

describe("GET /artists.json in the order of their posts", () => {
  it.each([1, 2, 5, 6, 40, 1000])(
    "page %s is the same as after sorting all artists, also beyond the most used tags",
    async (page) => {
      const { json } = await admin.client.get("/artists.json", { search: { order: "post_count" }, page, limit: 20 });
      const { rows } = await explainer.query(
        `SELECT a.id FROM artists a LEFT JOIN tags ON tags.name = a.name
        ORDER BY COALESCE(tags.post_count, 0) DESC, a.id DESC OFFSET $1 LIMIT 20`,
        [20 * (page - 1)],
      );
      expect((json as { id: number }[]).map(({ id }) => ({ id }))).toEqual(rows);
    },
  );
});

describe("GET /posts.json by numbers of flags, when the first ones are newer than PostgreSQL's statistics", () => {
  beforeAll(async () => {
    await explainer.query(`
      DELETE FROM post_counts WHERE kind = 'flags';
      ANALYZE post_counts;
      INSERT INTO post_counts (kind, post_id, number) SELECT 'flags', id, 1 FROM posts WHERE id <= 5000;
      SET session_replication_role = replica;
      UPDATE notes SET creator_id = 777 WHERE id <= 5000;
      RESET session_replication_role`);
  });
  const scansOfPage = async (params: Params) => {
    const get = async () => expect((await test.anonymous.get("/posts.json", params)).status).toBe(200);
    const scans: string[] = [];
    for (const statement of await recordStatements(get))
      scans.push(...scansOf(await explain(explainer, statement), ROWS / 2));
    return scans;
  };

  it.each(["flags:1..2", "has:flags", "flags:1 order:score", "has:flags order:duration"])(
    "reads the posts with a tag once: tag_500 %s",
    async (tags) => {
      expect(await scansOfPage({ tags: `tag_500 ${tags}` })).toEqual([]);
    },
  );

  it.each(["flags:0 order:score", "-flags:1 order:width", `-noter:${NAME} order:score`])(
    "compares no post with each of those that have some, or with each note of a user: %s",
    async (tags) => {
      expect(await scansOfPage({ tags, page: 50, limit: 100 })).toEqual([]);
    },
  );
});
