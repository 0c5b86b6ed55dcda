import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANONYMOUS, type Viewer } from "../../src/runtime/auth/viewer.js";
import { type Queryable, type Sql, sql } from "../../src/database/client.js";
import { ALL, and, leaves, not, or, type ResolvedQuery } from "../../src/search/posts/ast.js";
import { findMetatag, METATAGS } from "../../src/search/posts/metatags/index.js";
import {
  BY_ID,
  BY_ID_ASCENDING,
  type Order,
  ORDERS,
  orderByList,
  orderByName,
  RANDOM,
} from "../../src/search/posts/orders.js";
import { parseSearch } from "../../src/search/posts/parser.js";
import {
  choosePlan,
  type CountingPlan,
  countingPlan,
  headOfPeriod,
  type Plan,
} from "../../src/search/posts/planner.js";
import { AFFORDABLE } from "../../src/search/estimate.js";
import { countPosts, type PostSearch, postTagsMatch, searchPostIds } from "../../src/search/posts/search.js";
import { idsStatement } from "../../src/search/posts/statement.js";
import { resolveTerms, substituteTags, tagNamesIn } from "../../src/search/posts/tags.js";
import { toCondition } from "../../src/search/posts/to-sql.js";
import { connect, createDatabase, type TestDatabase } from "../support/database.js";
import { NOW, POSTS, TAGS, type TestPost, writeBoard } from "./post-search.board.js";

let database: TestDatabase;
let connection: Awaited<ReturnType<typeof connect>>;
let db: Queryable;
let statements = 0;

beforeAll(async () => {
  database = await createDatabase();
  connection = await connect(database.url);
  await writeBoard(connection.database);
  const query = <T extends object>(statement: Sql) => {
    statements += 1;
    return connection.database.query<T>(statement);
  };
  db = { query };
});

afterAll(async () => {
  await connection[Symbol.asyncDispose]();
  await database.drop();
});

const viewer = (id: number, level: number): Viewer => ({ id, name: "someone", level, isBanned: false, proof: "basic" });

const search = (tags: string, more: Partial<PostSearch> = {}) =>
  searchPostIds(db, {
    tags,
    raw: false,
    viewer: ANONYMOUS,
    limit: 100,
    defaultLimit: 20,
    maxLimit: 100,
    page: { kind: "number", page: 1 },
    maxTerms: 40,
    now: NOW,
    ...more,
  });

const idsOf = async (tags: string, more: Partial<PostSearch> = {}) => (await search(tags, more)).ids;

const idsWhere = (test: (post: TestPost) => boolean) =>
  POSTS.filter(test)
    .map((post) => post.id)
    .toReversed();

const has = (tag: string) => (post: TestPost) => post.tags.includes(tag);

const day = (text: string) => new Date(`${text}T00:00:00Z`);

describe("tags", () => {
  it.each<[string, (post: TestPost) => boolean]>([
    ["", () => true],
    ["a", has("a")],
    ["A", has("a")],
    ["a b", (p) => has("a")(p) && has("b")(p)],
    ["a a", has("a")],
    ["a or b", (p) => has("a")(p) || has("b")(p)],
    ["a -b -c", (p) => has("a")(p) && !has("b")(p) && !has("c")(p)],
    ["~a ~b d", (p) => (has("a")(p) || has("b")(p)) && has("d")(p)],
    ["(a b) or (c d)", (p) => (has("a")(p) && has("b")(p)) || (has("c")(p) && has("d")(p))],
    ["-(a b)", (p) => !(has("a")(p) && has("b")(p))],
    ["e_(f)", has("e_(f)")],
    ["(a or e_(f))", (p) => has("a")(p) || has("e_(f)")(p)],
    ["g:1", has("g:1")],
    ["unknown", () => false],
    ["a -unknown", has("a")],
    ["a or unknown", has("a")],
    ["h", () => false],
    ["wide_*", (p) => has("wide_x")(p) || has("wide_y")(p)],
    ["-wide_*", (p) => !has("wide_x")(p) && !has("wide_y")(p)],
    ["*_x wide_*", has("wide_x")],
    ["nothing*", () => false],
    ["-nothing*", () => true],
    ["w%", () => false],
    ["/tw", has("two_words")],
    ["/zz", () => false],
    ["/wx", has("b")],
    ["old_a", has("a")],
    ["-old_b", (p) => !has("b")(p)],
    ["old_c", () => false],
    ["unaliased:a", has("a")],
    ["unaliased:old_a", () => false],
    ["a or", () => false],
    ["a\0", () => false],
  ])("%j", async (tags, test) => {
    expect(await idsOf(tags)).toEqual(idsWhere(test));
    expect(await countPosts({ db }, { tags, raw: false, viewer: ANONYMOUS, maxTerms: 40 })).toEqual({
      count: idsWhere(test).length,
      isEstimate: false,
    });
  });

  it.each([
    ["a", has("a")],
    ["g:1", has("g:1")],
    ["old_a", () => false],
    ["a b", () => false],
    ["wide_*", () => false],
    ["rating:s", () => false],
    ["", () => true],
  ])("raw %j is one literal tag", async (tags, test) =>
    expect(await idsOf(tags, { raw: true })).toEqual(idsWhere(test)),
  );

  it("424 for more terms than allowed", async () => {
    await expect(search("a b c", { maxTerms: 2 })).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
      key: "too_many_tags",
    });
    await expect(
      countPosts({ db }, { tags: "a b c", raw: false, viewer: ANONYMOUS, maxTerms: 2 }),
    ).rejects.toMatchObject({
      key: "too_many_tags",
    });
  });

  it("takes two statements, one without tag names in the order of ids, and one if no tag exists", async () => {
    const countStatements = async (tags: string, more: Partial<PostSearch> = {}) => {
      statements = 0;
      await search(tags, more);
      return statements;
    };
    expect(await countStatements("a -b ~c* ~d user:albert")).toBe(2);
    expect(await countStatements("rating:s")).toBe(1);
    expect(await countStatements("order:score")).toBe(1);
    expect(await countStatements("rating:s order:score")).toBe(2); // the number of posts, which servers cache
    expect(await countStatements("date:2001..2100", { limit: 2 })).toBe(1);
    expect(await countStatements("date:2001..2100")).toBe(3); // fewer than a page: by another plan
    expect(await countStatements("")).toBe(1);
    expect(await countStatements("unknown a")).toBe(1);
    expect(await countStatements("a or")).toBe(0);
  });

  it("matches tags for other listings without meta-tags", async () => {
    const matching = async (tags: string) => {
      const condition = await postTagsMatch(db, sql`comments.post_id`, tags, { maxTerms: 40 });
      const rows = await db.query<{ id: number }>(
        sql`SELECT post_id AS id FROM comments WHERE ${condition} ORDER BY 1`,
      );
      return rows.map((row) => row.id);
    };
    const commented = (test: (post: TestPost) => boolean) => [5, 6, 7].filter((id) => test(POSTS[id - 1] as TestPost));
    expect(await matching("")).toEqual([5, 6, 7]);
    expect(await matching("a or b")).toEqual(commented((p) => has("a")(p) || has("b")(p)));
    expect(await matching("-a")).toEqual(commented((p) => !has("a")(p)));
    expect(await matching("rating:s")).toEqual([]);
  });
});

describe("meta-tags", () => {
  const active = (p: TestPost) => !p.isPending && !p.isFlagged && !p.isDeleted;
  const ratio = (p: TestPost) => Math.round((p.width * 100) / p.height) / 100;
  const anyOf =
    (...ids: number[]) =>
    (p: TestPost) =>
      ids.includes(p.id);

  it.each<[string, (post: TestPost) => boolean]>([
    ["id:5", anyOf(5)],
    ["id:5,7..9,>58", anyOf(5, 7, 8, 9, 59, 60)],
    ["id:any", () => true],
    ["id:none", () => false],
    ["-id:5", (p) => p.id !== 5],
    ["id:x", () => false],
    ["-id:x", () => true],
    ["id:99999999999", () => false],
    ["id:<99999999999", () => true],
    ["-id:>99999999999", () => true],
    ["rating:s", (p) => p.rating === "s"],
    ["rating:Explicit,q", (p) => p.rating !== "s"],
    ["rating:quest", (p) => p.rating === "q"],
    ["rating:x", () => false],
    ["score:>=3", (p) => p.score >= 3],
    ["score:<0", (p) => p.score < 0],
    ["upvotes:>3", (p) => p.score > 3],
    ["downvotes:2..5", (p) => p.score <= -2 && p.score >= -5],
    ["favcount:3", (p) => p.favCount === 3],
    ["width:500", (p) => p.width === 500],
    ["height:<=300", (p) => p.height <= 300],
    ["ratio:1:1", (p) => p.width === p.height],
    ["ratio:3:7", (p) => ratio(p) === 0.43],
    ["ratio:>1.3", (p) => ratio(p) > 1.3],
    ["mpixels:>0.25", (p) => p.width * p.height > 250_000],
    ["mpixels:0.25", (p) => Math.abs(p.width * p.height - 250_000) <= 12_500],
    ["filesize:20k", (p) => p.fileSize >= 19_456 && p.fileSize <= 21_504],
    ["filesize:20000", anyOf(20)],
    ["filesize:>9999999999999m", () => false],
    ["filetype:png", (p) => p.fileExt === "png"],
    ["filetype:jpeg,webm", (p) => p.fileExt !== "png"],
    ["filetype:exe", () => false],
    ["tagcount:>4", (p) => p.tags.length > 4],
    ["gentags:0", (p) => p.tags.length === 0],
    ["arttags:>0", () => false],
    ["pixiv:60..120", anyOf(6, 12)],
    ["pixiv_id:none", (p) => p.pixivId === null],
    ["-pixiv_id:60", (p) => p.id !== 6],
    [`md5:${"0".repeat(31)}A,${"0".repeat(31)}c`, anyOf(10, 12)],
    ["md5:zz", () => false],
    ["date:2026-03-30", (p) => p.createdAt >= day("2026-03-30") && p.createdAt < day("2026-03-31")],
    ["date:2026-03-01..2026-03-10", (p) => p.createdAt >= day("2026-03-01") && p.createdAt <= day("2026-03-10")],
    ["date:<2026-03", (p) => p.createdAt < day("2026-03-01")],
    ["age:<3d", (p) => NOW.getTime() - p.createdAt.getTime() < 3 * 86_400_000],
    ["age:1w..2w", (p) => Math.abs(NOW.getTime() - p.createdAt.getTime() - 10.5 * 86_400_000) <= 3.5 * 86_400_000],
    ["age:<9999y", () => true],
    ["user:albert", (p) => p.uploader === "albert"],
    ["user:BERTA", (p) => p.uploader === "Berta"],
    ["user:nobody", () => false],
    ["-user:nobody", () => true],
    ["user:any", () => true],
    ["approver:none", () => true],
    ["approver:albert", () => false],
    ["-approver:albert", () => true],
    ["commenter:berta", anyOf(5)],
    ["commenter:any", anyOf(5, 7)],
    ["-comm:any", (p) => p.id !== 5 && p.id !== 7],
    ["noter:carl", anyOf(8)],
    ["noter:none", (p) => p.id !== 8],
    ["noteupdater:any", () => false],
    ["artcomm:albert", () => false],
    ["fav:albert", anyOf(4, 12, 33)],
    ["fav:albert fav:berta", anyOf(4)],
    ["-fav:albert", (p) => ![4, 12, 33].includes(p.id)],
    ["fav:carl", () => false],
    ["upvote:albert", () => false],
    ["pool:1", anyOf(3, 9, 30)],
    ["pool:some_series", anyOf(3, 9, 30)],
    ['pool:"some series"', anyOf(3, 9, 30)],
    ["pool:3", anyOf(40)],
    ["pool:any", anyOf(3, 5, 9, 30)],
    ["pool:none", (p) => ![3, 5, 9, 30].includes(p.id)],
    ["pool:series", anyOf(3, 9, 30)],
    ["pool:collection", anyOf(5, 9)],
    ["pool:*coll*", anyOf(5, 9)],
    ["pool:unknown", () => false],
    ["-pool:unknown", () => true],
    ["pool:99999999999", () => false],
    ["parent:none", (p) => p.parentId === null],
    ["parent:any", (p) => p.parentId !== null],
    ["parent:11", (p) => p.id === 11 || p.parentId === 11],
    ["-parent:11", (p) => p.id !== 11 && p.parentId !== 11],
    ["parent:deleted", anyOf(17)],
    ["parent:x", () => false],
    ["child:any", (p) => p.id % 10 === 1],
    ["child:deleted", () => false],
    ["child:banned", anyOf(11)],
    ["status:active", active],
    ["status:pending", (p) => p.isPending],
    ["-status:deleted", (p) => !p.isDeleted],
    ["status:banned", (p) => p.isBanned],
    ["status:any", () => true],
    ["status:modqueue", (p) => p.isPending || p.isFlagged],
    ["status:x", () => false],
    ["locked:notes", anyOf(3)],
    ["locked:x", () => false],
    ["source:none", (p) => p.source === ""],
    ["source:any", (p) => p.source !== ""],
    ["source:https://example.com/5", anyOf(5, 53, 57)],
    ["source:http", (p) => p.id % 4 === 1],
    ["source:*page*", (p) => p.id % 4 === 2],
    ['source:"a book, page 2"', anyOf(2, 22, 26)],
    ["source:100%_", (p) => p.id % 4 === 3],
    ["source:%", () => false],
    ["source:", () => false],
    ["is:child", (p) => p.parentId !== null],
    ["is:sfw", (p) => p.rating === "s"],
    ["is:nsfw", (p) => p.rating !== "s"],
    ["is:png", (p) => p.fileExt === "png"],
    ["is:png,gif", () => false],
    ["is:pending", (p) => p.isPending],
    ["is:explicit", (p) => p.rating === "e"],
    ["is:constructor", () => false],
    ["has:comments", anyOf(5, 7)],
    ["has:notes", anyOf(8)],
    ["has:commentary", anyOf(2, 21)],
    ["has:pools", anyOf(3, 5, 9, 30)],
    ["-has:source", (p) => p.source === ""],
    ["has:flags", () => false],
    ["a rating:s -status:deleted", (p) => has("a")(p) && p.rating === "s" && !p.isDeleted],
    ["a or score:>5", (p) => has("a")(p) || p.score > 5],
    ["-(a pixiv_id:60)", (p) => !(has("a")(p) && p.id === 6)],
    ["~user:albert ~b", (p) => p.uploader === "albert" || has("b")(p)],
  ])("%j", async (tags, test) => {
    const found = await idsOf(tags);
    expect(found).toEqual(idsWhere(test));
    expect(await countPosts({ db }, { tags, raw: false, viewer: ANONYMOUS, maxTerms: 40, now: NOW })).toEqual({
      count: found.length,
      isEstimate: false,
    });
  });

  it.each([
    ["status:flagged", true],
    ["status:active", false],
    ["width:200", true],
    ["width:200,300", false],
    ["width:>200", false],
    ["score:-1", true],
    ["mpixels:1", false],
    ["width:nonsense", false],
  ])("%s: an index has its posts in the order of their ids: %s", (text, isInOrder) => {
    const [name, value] = text.split(":") as [string, string];
    expect(findMetatag(name)?.isInOrder?.(value) ?? false).toBe(isInOrder);
  });

  it.each(["commenter", "noter", "noteupdater", "artcomm", "fav"])(
    "-%s: is a join, so that PostgreSQL does not expect to read the ids again for each post",
    (name) => {
      const { query } = parseSearch(`-${name}:someone`, (each) => findMetatag(each)?.name, Infinity);
      const resolved = substituteTags(query, { names: new Map(), literals: new Map(), wildcards: new Map(), posts: 0 });
      const { text } = toCondition(resolved, { context: { viewer: ANONYMOUS, now: NOW }, tags: "hidden" });
      expect(text).toMatch(/^NOT EXISTS \(SELECT 1 FROM \w+ made WHERE made\.post_id = posts\.id AND /);
    },
  );

  it("about private records depend on the viewer", async () => {
    expect(await idsOf("fav:carl", { viewer: viewer(3, 20) })).toEqual([8]);
    expect(await idsOf("fav:carl", { viewer: viewer(1, 40) })).toEqual([]);
    expect(await idsOf("fav:carl", { viewer: viewer(1, 50) })).toEqual([8]);
    expect(await idsOf("upvote:albert", { viewer: viewer(1, 20) })).toEqual([1]);
    expect(await idsOf("downvoter:albert", { viewer: viewer(1, 20) })).toEqual([2]);
    expect(await idsOf("upvote:berta", { viewer: viewer(1, 20) })).toEqual([]);
    expect(await idsOf("upvote:berta", { viewer: viewer(1, 50) })).toEqual([3]);
    expect(await idsOf("status:unmoderated", { viewer: viewer(1, 50) })).toEqual(
      idsWhere((p) => p.isPending || p.isFlagged),
    );
  });

  it("accept any value", async () => {
    const values = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("9".repeat(400), "..", "%", "_", "\\", "{", "}", "{1,2}", "any,none", "1e9", "-0"),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METATAGS), values, fc.boolean(), async (row, value, negated) => {
        const quoted = `${row.name}:"${value.replace(/["\\]/g, "\\$&")}"`;
        const { ids } = await search(`${negated ? "-" : ""}${quoted}`);
        expect(ids.length).toBeLessThanOrEqual(60);
      }),
      { numRuns: 400 },
    );
  });
});

describe("orders", () => {
  const sorted = (key: (post: TestPost) => number, direction: 1 | -1) =>
    [...POSTS].sort((x, y) => (key(x) - key(y)) * direction || (x.id - y.id) * direction).map((post) => post.id);

  it.each<[string, number[]]>([
    ["", sorted((p) => p.id, -1)],
    ["order:unknown", sorted((p) => p.id, -1)],
    ["order:id", sorted((p) => p.id, 1)],
    ["order:id_asc", sorted((p) => p.id, 1)],
    ["order:id_desc", sorted((p) => p.id, -1)],
    ["order:score", sorted((p) => p.score, -1)],
    ["ORDER:Score_Asc", sorted((p) => p.score, 1)],
    ["order:favcount", sorted((p) => p.favCount, -1)],
    ["order:mpixels", sorted((p) => p.width * p.height, -1)],
    ["order:filesize_asc", sorted((p) => p.fileSize, 1)],
    ["order:landscape", sorted((p) => p.width / p.height, -1)],
    ["order:portrait", sorted((p) => p.width / p.height, 1)],
    ["order:tagcount", sorted((p) => p.tags.length, -1)],
    ["order:downvotes", sorted((p) => Math.min(p.score, 0), 1)],
    ["order:comm", sorted((p) => p.commentedAt?.getTime() ?? 0, -1)],
    ["order:comment_asc", sorted((p) => p.commentedAt?.getTime() ?? Infinity, 1)],
    ["order:artcomm", [21, 2]],
    ["order:custom id:7,3,9", [7, 3, 9]],
    ["order:id order:score", sorted((p) => p.score, -1)],
    ["ordpool:1", [9, 3, 30]],
    ["ordpool:some_series order:id", [9, 3, 30]],
    ["ordpool:any", []],
    ["ordfav:albert", [33, 4, 12]],
    ["ordfav:nobody", []],
    ["-order:score", []],
    ["a or order:score", []],
    ["-(a limit:5)", []],
  ])("%j", async (tags, ids) => expect(await idsOf(tags)).toEqual(ids));

  it("rank includes only upvoted posts of the last two days", async () => {
    const liked = idsWhere((p) => p.score > 0 && NOW.getTime() - p.createdAt.getTime() < 2 * 86_400_000);
    expect((await idsOf("order:rank")).sort((x, y) => y - x)).toEqual(liked);
    expect(await idsOf("order:rank", { page: { kind: "before", id: 1000 } })).toEqual(liked);
  });

  it("artcomm includes only posts with a commentary, before an id and by pools too", async () => {
    expect(await idsOf("order:artcomm pool:*")).toEqual([]);
    expect(await idsOf("order:artcomm pool:*", { page: { kind: "before", id: 1000 } })).toEqual([]);
  });

  it("random shuffles the same posts", async () => {
    const ids = await idsOf("order:random a");
    expect([...ids].sort((x, y) => y - x)).toEqual(idsWhere(has("a")));
  });

  it.each([null, 7, 10, 100])(
    "random:7 is seven posts on all pages together, whatever the size of a page (%s)",
    async (limit) => {
      const found = await search("random:7 a", { limit });
      expect([found.ids.length, found.hasMore, new Set(found.ids).size]).toEqual([7, false, 7]);
      expect(await search("random:7 a", { limit, page: { kind: "number", page: 2 } })).toMatchObject({
        ids: [],
        hasMore: false,
      });
    },
  );

  it("random:7 is on two pages if they have five posts, and is counted as seven", async () => {
    const pages = [1, 2, 3].map((page) => search("random:7", { limit: 5, page: { kind: "number", page } }));
    const found = (await Promise.all(pages)).map(({ ids, hasMore }) => [ids.length, hasMore]);
    expect(found).toEqual([
      [5, true],
      [2, false],
      [0, false],
    ]);
    const count = (tags: string) => countPosts({ db }, { tags, raw: false, viewer: ANONYMOUS, maxTerms: 40 });
    expect(await count("random:7 a")).toEqual({ count: 7, isEstimate: false });
    expect(await count("random:1000 a")).toEqual({ count: idsWhere(has("a")).length, isEstimate: false });
  });

  it.each(["before", "after"] as const)(
    "random:7 is not continued %s an id, where it would never end",
    async (kind) => {
      const page = { kind, id: kind === "before" ? 1_000_000 : 0 };
      expect(await search("random:7", { page })).toMatchObject({ ids: [], hasMore: false });
      expect((await search("order:random", { page })).ids).not.toEqual([]);
    },
  );

  it.each(["random:0", "random:00", "random:", "random:x", "random:-1", "random:0 limit:5", "random:5 random:0"])(
    "%s finds nothing",
    async (text) => {
      expect(await idsOf(text)).toEqual([]);
      expect(await idsOf(text, { limit: null })).toEqual([]);
    },
  );

  it("all work with tags, and are replaced by the order by id in pages before or after an id", async () => {
    for (const name of ORDERS.flatMap(({ names }) => names)) {
      const all = await idsOf(`order:${name} a`);
      const isPartial = name === "rank" || name.startsWith("artcomm");
      expect(all.length).toBeGreaterThanOrEqual(isPartial ? 0 : idsWhere(has("a")).length);
      const posts = await idsOf(`order:${name}`, { page: { kind: "after", id: 50 } });
      expect(posts).toEqual([...posts].sort((x, y) => y - x));
    }
  });
});

describe("pages", () => {
  it("by number", async () => {
    expect(await search("", { limit: 7, page: { kind: "number", page: 2 } })).toEqual({
      ids: [53, 52, 51, 50, 49, 48, 47],
      hasMore: true,
      afterId: null,
      number: 2,
      byId: true,
      offset: 7,
      generation: null,
      rows: [53, 52, 51, 50, 49, 48, 47].map((id) => ({ id })),
    });
    expect(await search("", { limit: 20, page: { kind: "number", page: 3 } })).toMatchObject({
      hasMore: false,
      offset: 40,
    });
    expect(await search("", { limit: 20, page: { kind: "number", page: 4 } })).toMatchObject({
      ids: [],
      hasMore: false,
    });
    expect(await search("order:score", { limit: 5, page: { kind: "offset", offset: 1e15 } })).toMatchObject({
      ids: [],
      byId: false,
    });
  });

  it("before and after an id replace the order", async () => {
    expect(await search("order:score", { limit: 3, page: { kind: "before", id: 10 } })).toMatchObject({
      ids: [9, 8, 7],
      hasMore: true,
      byId: true,
    });
    expect(await search("order:score", { limit: 3, page: { kind: "after", id: 10 } })).toMatchObject({
      ids: [13, 12, 11],
      hasMore: true,
      byId: true,
    });
    expect(await search("", { limit: 3, page: { kind: "after", id: 58 } })).toMatchObject({
      ids: [60, 59],
      hasMore: false,
    });
    expect(await idsOf("ordpool:1", { page: { kind: "before", id: 30 } })).toEqual([9, 3]);
    expect(await idsOf("a", { limit: 2, page: { kind: "after", id: 20 } })).toEqual(
      idsWhere((p) => has("a")(p) && p.id > 20).slice(-2),
    );
  });

  it("before or after an id out of range", async () => {
    expect(await idsOf("", { page: { kind: "before", id: Number.MAX_SAFE_INTEGER } })).toHaveLength(60);
    expect(await idsOf("", { page: { kind: "after", id: Number.MAX_SAFE_INTEGER } })).toEqual([]);
    expect(await idsOf("", { page: { kind: "after", id: 2_147_483_647 } })).toEqual([]);
    expect(await idsOf("", { page: { kind: "before", id: 0 } })).toEqual([]);
  });

  it("are as long as the request's limit, then limit:, then the default", async () => {
    expect(await idsOf("limit:5", { limit: null })).toHaveLength(5);
    expect(await idsOf("limit:5", { limit: 6 })).toHaveLength(6);
    expect(await idsOf("", { limit: null })).toHaveLength(20);
    expect(await idsOf("limit:x", { limit: null })).toHaveLength(20);
    expect(await idsOf("limit:0", { limit: null })).toHaveLength(1);
    expect(await idsOf("limit:999999999", { limit: null, maxLimit: 30 })).toHaveLength(30);
  });
});

describe("the plan, on a board of two million posts", () => {
  const tag = (count: number): ResolvedQuery => ({
    type: "tags",
    ids: [count],
    members: [{ id: count, count, listed: null }],
    count,
    listed: null,
  });
  const either: ResolvedQuery = {
    type: "tags",
    ids: [1, 2, 3],
    members: [
      { id: 1, count: 4_000, listed: "ids" },
      { id: 2, count: 3_000, listed: "ids" },
      { id: 3, count: 90, listed: null },
    ],
    count: 7_090,
    listed: null,
  };
  const common: ResolvedQuery = {
    ...either,
    members: [...either.members, { id: 4, count: 30_000, listed: "bits" }],
    count: 37_090,
  };
  const plan = (query: ResolvedQuery, more = {}) =>
    choosePlan({ query, order: BY_ID, wanted: 21, posts: 2_000_000, ...more });

  const score = orderByName("score") as Order;
  const rating: ResolvedQuery = { type: "metatag", name: "rating", value: "s" };

  it.each<[string, ResolvedQuery, Plan["kind"], object?]>([
    ["a rare tag", tag(50), "gather"],
    ["a common tag", tag(900_000), "window"],
    ["two common tags", and([tag(900_000), tag(600_000)]), "window"],
    ["a common and a rare tag", and([tag(900_000), tag(50)]), "gather"],
    ["two tags that may never meet", and([tag(60_000), tag(70_000)]), "gather"],
    ["a common or a rare tag", or([tag(900_000), tag(50)]), "window"],
    ["two rare tags", or([tag(60), tag(50)]), "gather"],
    ["an excluded tag", not(tag(50)), "walk"],
    ["a rare tag without another", and([tag(50), not(tag(900_000))]), "gather"],
    [
      "a common tag and a meta-tag that leaves many posts",
      and([tag(900_000), rating]),
      "window",
      { metatagShare: 0.7 },
    ],
    ["a common tag and a meta-tag that leaves few posts", and([tag(900_000), rating]), "walk", { metatagShare: 1e-6 }],
    [
      "one of them by score",
      and([tag(900_000), rating]),
      "rare",
      { metatagShare: 1e-6, metatagCost: 10, order: score },
    ],
    [
      "one of them by score whose posts no index finds",
      and([tag(900_000), rating]),
      "gather",
      { metatagShare: 1e-6, metatagCost: 1e6, order: score },
    ],
    [
      "one of them by duration, whose posts are read in groups",
      and([tag(900_000), rating]),
      "walk",
      { metatagShare: 1e-6, metatagCost: 1e6, order: orderByName("duration") },
    ],
    [
      "a common tag and a meta-tag that leaves some posts, by score",
      and([tag(900_000), rating]),
      "window",
      { metatagShare: 0.003, metatagCost: 5_000, order: score, wanted: 501 },
    ],
    [
      "a common tag and a meta-tag of few posts, which an index has in order",
      and([tag(900_000), rating]),
      "narrow",
      { metatagShare: 0.01, isInOrder: true },
    ],
    [
      "a long page of a common tag and a range of few posts, whose ids an index has",
      and([tag(900_000), rating]),
      "sorted",
      { metatagShare: 0.01, isCovered: true, wanted: 201 },
    ],
    [
      "a short page of them",
      and([tag(900_000), rating]),
      "window",
      { metatagShare: 0.01, isCovered: true, wanted: 11 },
    ],
    ["a meta-tag whose ids an index has", rating, "few", { hasIds: true }],
    ["a common tag beside it", and([tag(900_000), rating]), "few", { hasIds: true }],
    ["a rare tag beside it", and([tag(1_000), rating]), "gather", { hasIds: true }],
    ["one of few, by estimate", rating, "few", { hasIds: true, isEstimated: true, metatagShare: 0.002 }],
    ["one of many, by estimate", rating, "walk", { hasIds: true, isEstimated: true, metatagShare: 0.1 }],
    ["one without an estimate", rating, "walk", { hasIds: true, isEstimated: true }],
    ["such a meta-tag by score", rating, "few", { hasIds: true, order: score }],
    [
      "one of few by score, by estimate",
      rating,
      "rare",
      { hasIds: true, isEstimated: true, order: score, metatagShare: 1e-6, metatagCost: 10 },
    ],
    ["a meta-tag of few posts by score", rating, "rare", { order: score, metatagShare: 0.001, metatagCost: 2_000 }],
    [
      "a meta-tag of many posts by score, of which the first ones may have none",
      rating,
      "window",
      { order: score, metatagShare: 0.2, metatagCost: 50_000 },
    ],
    [
      "one that compares the score",
      rating,
      "walk",
      { order: score, metatagShare: 0.2, metatagCost: 50_000, isOfKey: true },
    ],
    ["a deep page of one", rating, "walk", { order: score, metatagShare: 0.2, metatagCost: 50_000, wanted: 2_001 }],
    [
      "one by duration, whose posts are read in groups",
      rating,
      "walk",
      { order: orderByName("duration"), metatagShare: 0.2, metatagCost: 50_000 },
    ],
    ["a rare tag beside one", and([tag(5_000), rating]), "gather", { metatagShare: 0.01, isInOrder: true }],
    ["a common tag and a pool", and([tag(900_000), rating]), "sorted", { hasMembers: true }],
    ["a pool by score", rating, "walk", { hasMembers: true, order: score }],
    ["a tag of fewer posts beside a pool", and([tag(1_000), rating]), "gather", { hasMembers: true }],
    [
      "a middling tag by the time of events, of which each takes several reads",
      tag(6_000),
      "gather",
      { order: orderByName("modqueue") },
    ],
    ["a common tag by the time of events", tag(900_000), "window", { order: orderByName("modqueue") }],
    ["a middling tag by id", tag(6_000), "window"],
    ["a middling tag by score, whose posts lie anywhere", tag(6_000), "gather", { order: score }],
    ["a common tag in an order of a list", tag(900_000), "walk", { order: orderByList([3, 1]) }],
    ["a common tag by the number of comments", tag(900_000), "window", { order: orderByName("comment_count") }],
    ["a common tag in no order at all", tag(900_000), "window", { order: RANDOM }],
    ["no tag in no order at all", ALL, "window", { order: RANDOM }],
    ["a middling tag in an order of a list", tag(100_000), "walk", { order: orderByList([3, 1]) }],
    ["a common tag among hot posts", tag(900_000), "walk", { order: orderByName("rank") }],
    ["a middling tag among hot posts, of which few have it", tag(20_000), "walk", { order: orderByName("rank") }],
    ["a rarer tag among hot posts", tag(2_000), "gather", { order: orderByName("rank") }],
    ["a deep page", tag(20_000), "gather", { wanted: 20_001 }],
    ["alternatives with lists and a rare one without", and([tag(900_000), either]), "union"],
    ["alternatives of which one is common", common, "window"],
  ])("for %s", (_, query, expected, more) => expect(plan(query, more).kind).toBe(expected));

  const listed = (id: number, count: number, kind: "ids" | "bits"): ResolvedQuery => ({
    type: "tags",
    ids: [id],
    members: [{ id, count, listed: kind }],
    count,
    listed: kind,
  });

  it("counts any two tags of ten million posts: a list of ids, which are less than a hundredth, beside one of bits", () => {
    const costOf = (one: ResolvedQuery, other: ResolvedQuery) => countingPlan(and([one, other]), 10_000_000).cost;
    expect(costOf(listed(1, 99_999, "ids"), listed(2, 6_000_000, "bits"))).toBeLessThan(AFFORDABLE);
    expect(costOf(listed(1, 99_999, "ids"), listed(2, 99_998, "ids"))).toBeLessThan(AFFORDABLE);
    expect(costOf(listed(1, 5_000_000, "bits"), listed(2, 6_000_000, "bits"))).toBeLessThan(AFFORDABLE);
  });

  it("counts a rare tag beside a common one exactly: the index skips most posts of the common one", () => {
    const { kind, cost } = countingPlan(and([tag(60), tag(6_000_000)]), 10_000_000);
    expect([kind, cost < AFFORDABLE / 10]).toEqual(["tests", true]);
  });

  it("begins a search of a period with its newest or oldest posts, unless these are unlikely to have the tags", () => {
    const head = (query: ResolvedQuery, wanted = 21, order = BY_ID) =>
      headOfPeriod({ query, order, wanted, posts: 2_000_000 });
    expect(head(and([tag(1_000_000), rating]))).toEqual({ kind: "head", rows: 105 });
    expect(head(rating)).toEqual({ kind: "head", rows: 63 });
    expect(head(rating, 21, BY_ID_ASCENDING)).toEqual({ kind: "head", rows: 63 });
    expect(head(rating, 21, RANDOM)).toBeNull();
    expect(head(and([tag(2_000), rating]))).toBeNull();
    expect(head(rating, 10_001)).toBeNull();
  });

  it.each<[string, CountingPlan["kind"], ResolvedQuery[]]>([
    ["two tags that few posts are likely to have", "few", [listed(1, 12_000, "ids"), listed(2, 42_000, "ids")]],
    ["two common tags", "postings", [listed(1, 200_000, "bits"), listed(2, 900_000, "bits")]],
    [
      "a rare tag beside one that half of the posts have",
      "postings",
      [listed(1, 8_000, "ids"), listed(2, 4_500_000, "bits")],
    ],
    ["a common tag without a rare one", "postings", [listed(1, 900_000, "bits"), not(listed(2, 110_000, "bits"))]],
    ["a tag without a list", "tests", [tag(150), listed(2, 900_000, "bits")]],
  ])("counts %s of ten million posts by %s", (_, kind, parts) => {
    expect(countingPlan(and(parts), 10_000_000).kind).toBe(kind);
  });

  it("walks a window that costs about as much as gathering afterwards", () => {
    // sqrt(3 * 21 posts * 2,000,000) and 0.05 for each of 900,000 entries of the index
    expect(plan(tag(900_000))).toEqual({ kind: "window", rows: Math.ceil(Math.sqrt(3 * 21 * 2_000_000) + 45_000) });
  });
});

interface Expression {
  text: string;
  test: (post: TestPost) => boolean;
}

/** Random searches together with what they mean, made by other means than the parser. */
const { expression } = fc.letrec<{ expression: Expression; clause: Expression; factor: Expression }>((tie) => ({
  factor: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Expression>(
      ...TAGS.map((tag) => ({ text: tag, test: has(tag) })),
      { text: "wide_*", test: (p) => has("wide_x")(p) || has("wide_y")(p) },
      { text: "nowhere", test: () => false },
      { text: "rating:s", test: (p) => p.rating === "s" },
      { text: "pixiv_id:>300", test: (p) => p.pixivId !== null && p.pixivId > 300 },
    ),
    tie("expression").map(({ text, test }) => ({ text: `( ${text} )`, test })),
  ),
  clause: fc
    .array(fc.tuple(fc.constantFrom("", "", "-", "~"), tie("factor"), fc.constantFrom(" ", " and ")), {
      minLength: 1,
      maxLength: 4,
    })
    .map((factors) => ({
      text: factors.map(([sign, { text }, glue], i) => `${i > 0 ? glue : ""}${sign}${text}`).join(""),
      test: (post) => {
        const optional = factors.filter(([sign]) => sign === "~");
        const required = factors.filter(([sign]) => sign !== "~");
        return (
          required.every(([sign, factor]) => factor.test(post) !== (sign === "-")) &&
          (optional.length === 0 || optional.some(([, factor]) => factor.test(post)))
        );
      },
    })),
  expression: fc.array(tie("clause"), { minLength: 1, maxLength: 3 }).map((clauses) => ({
    text: clauses.map(({ text }) => text).join(" or "),
    test: (post) => clauses.some(({ test }) => test(post)),
  })),
}));

describe("any search", () => {
  const context = { viewer: ANONYMOUS, now: NOW };
  const byPlan = async (text: string, plan: Plan, fetch = 100) => {
    const { query } = parseSearch(text, (name) => findMetatag(name)?.name, Infinity);
    const resolved = substituteTags(query, await resolveTerms({ db }, tagNamesIn(query)));
    const page = { kind: "number", page: 1 } as const;
    const statement = idsStatement({ query: resolved, order: BY_ID, context, page, fetch, skip: 0 }, plan);
    return (await db.query<{ id: number }>(statement)).map((row) => row.id);
  };

  it("finds the same posts as a plain filter, by any plan", async () => {
    await fc.assert(
      fc.asyncProperty(expression, fc.integer({ min: 1, max: 60 }), async ({ text, test }, rows) => {
        expect(await byPlan(text, { kind: "walk" })).toEqual(idsWhere(test));
        expect(await byPlan(text, { kind: "gather" })).toEqual(idsWhere(test));
        expect(await byPlan(text, { kind: "window", rows }, 5)).toEqual(idsWhere(test).slice(0, 5));
        expect(await byPlan(text, { kind: "narrow", rows }, 5)).toEqual(idsWhere(test).slice(0, 5));
        expect(await byPlan(text, { kind: "sorted" }, 5)).toEqual(idsWhere(test).slice(0, 5));
        expect(await idsOf(text, { maxTerms: 1000 })).toEqual(idsWhere(test));
      }),
      { numRuns: 200 },
    );
  });

  it("works with many terms and deep groups", async () => {
    const many = Array.from({ length: 4000 }, (_, i) => (i % 2 ? `-t${i}` : "a")).join(" ");
    expect(await idsOf(many, { maxTerms: 5000 })).toEqual(idsWhere(has("a")));
    const deep = `${"(a or -(b ".repeat(100)}c${"))".repeat(100)}`;
    expect((await idsOf(deep, { maxTerms: 5000 })).length).toBeGreaterThan(0);
    expect(leaves(and([])).length).toBe(0);
  });
});
