/**
 * Searches by posting lists of several blocks, on a generated board of 20,000 posts: the same pages and counts as by checking
 * every post. Sixteen writers edit its posts while the lists are built.
 */
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateBoard } from "../../bench/generate.js";
import { type Sql, sql as sqlOf } from "../../src/database/client.js";
import { ANONYMOUS } from "../../src/runtime/auth/viewer.js";
import type { PageSelector } from "../../src/search/page.js";
import { fillSpans } from "../../src/search/postings/spans.js";
import { PostingMaker } from "../../src/search/postings/maker.js";
import { postingsOf } from "../../src/search/postings/plan.js";
import { BY_ID } from "../../src/search/posts/orders.js";
import { parseSearch } from "../../src/search/posts/parser.js";
import type { CountingPlan as Plan } from "../../src/search/posts/planner.js";
import { countPosts, searchPostIds } from "../../src/search/posts/search.js";
import { countStatement } from "../../src/search/posts/statement.js";
import { resolveTerms, substituteTags, tagNamesIn } from "../../src/search/posts/tags.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { heldLists, wrongLists } from "../support/postings.js";

const POSTS = 20_000;
const LIMITS = { least: 20, common: 0.05 };
const WRITERS = 16;
const EDITS = 4;

interface Tag {
  id: number;
  name: string;
}

let database: TestDatabase;
let test: TestBoard;
let sql: pg.Pool;
/** some of each frequency */
let tags: Tag[];
let newest: number;

beforeAll(async () => {
  database = await createDatabase();
  await generateBoard(database.url, { posts: POSTS, seed: 3, until: new Date("2026-03-01T12:00:00Z") });
  test = await startBoard({ DATABASE_URL: database.url });
  sql = new pg.Pool({ connectionString: database.url, max: 4 });
  sql.on("error", () => undefined); // when the database is dropped
  // two with bits that never meet, one of old posts alone
  const { rows } = await sql.query<Tag>(`
    (SELECT id, name FROM tags WHERE name IN ('long_hair', 'short_hair', 'scanned'))
    UNION (SELECT id, name FROM tags WHERE post_count > 2000 ORDER BY post_count LIMIT 4)
    UNION (SELECT id, name FROM tags WHERE post_count BETWEEN 20 AND 900 ORDER BY post_count DESC LIMIT 5)
    UNION (SELECT id, name FROM tags WHERE post_count BETWEEN 3 AND 15 ORDER BY id LIMIT 3) ORDER BY id`);
  tags = rows;
  newest = (await sql.query<{ id: number }>("SELECT max(id) AS id FROM posts")).rows[0]?.id ?? 0;
}, 180_000);
afterAll(async () => {
  await sql?.end();
  await test?.[Symbol.asyncDispose]();
  await database?.drop();
});

/** Adds and removes common tags, one post after the other, at a place of the writer's own. */
async function edit(writer: number): Promise<number[]> {
  const { client } = await test.make.user("Admin");
  const statuses: number[] = [];
  for (let turn = 0; turn < EDITS; turn += 1) {
    const id = newest - ((turn * 97 + writer) % 4000);
    const names = [tags[(turn + writer) % tags.length]?.name ?? "", turn % 2 ? "-long_hair" : "long_hair"];
    const post = { tag_string: `${names.join(" ")} sea` };
    statuses.push((await client.put(`/posts/${id}.json`, { post })).status);
  }
  return statuses;
}

describe("while sixteen writers edit posts", () => {
  it(
    "lists are built that contain what was written before, meanwhile and afterwards",
    { timeout: 300_000 },
    async () => {
      const writers = Array.from({ length: WRITERS }, (_, writer) => edit(writer));
      const made = test.board.postings.maintain(undefined, LIMITS);
      const statuses = (await Promise.all(writers)).flat();
      await made;
      expect([...new Set(statuses)]).toEqual([200]);
      expect(await wrongLists(sql)).toEqual([]);
      const lists = await heldLists(sql);
      expect(new Set(lists.map(({ kind, state }) => `${kind} ${state}`))).toEqual(new Set(["bits ready", "ids ready"]));
      await Promise.all(Array.from({ length: WRITERS }, (_, writer) => edit(writer)));
      expect(await wrongLists(sql)).toEqual([]);
    },
  );
});

describe("an interrupted job that builds lists", () => {
  const made: number[] = [];

  /** A maker that notes the blocks it makes, and whose connection is cut in the middle of one of them. */
  const maker = (cutAt: number | null) =>
    new PostingMaker((work) =>
      test.board.transact((db) => {
        const query = async <T extends object>(statement: Sql): Promise<T[]> => {
          const rows = await db.query<T>(statement);
          if (!statement.text.includes("pg_advisory_xact_lock")) return rows;
          made.push(Number(statement.values[0]));
          if (made.at(-1) === cutAt) await db.query(sqlOf`SELECT pg_terminate_backend(pg_backend_pid())`);
          return rows;
        };
        return work({ query, execute: (statement) => db.execute(statement) });
      }),
    );

  it(
    "resumes where it stopped, and starts lists that are needed since only afterwards",
    { timeout: 120_000 },
    async () => {
      await sql.query("TRUNCATE posting_lists, posting_bits, posting_ids");
      await expect(maker(1).maintain(undefined, LIMITS)).rejects.toThrow(/terminat/);
      expect(made).toEqual([0, 1]);
      expect(await edit(0)).toEqual([200, 200, 200, 200]);
      await maker(null).maintain(undefined, { ...LIMITS, least: 15 });
      expect(made).toEqual([0, 1, 1, 2, 0, 1, 2]);
      expect(await wrongLists(sql)).toEqual([]);
    },
  );

  it(
    "starts again if lists were started concurrently, as the previous version does",
    { timeout: 120_000 },
    async () => {
      await sql.query("TRUNCATE posting_lists, posting_bits, posting_ids");
      made.length = 0;
      await expect(maker(2).maintain(undefined, LIMITS)).rejects.toThrow(/terminat/);
      await sql.query("UPDATE posting_lists SET changed_at = now() WHERE kind = 'bits'");
      await maker(null).maintain(undefined, LIMITS);
      expect(made).toEqual([0, 1, 2, 0, 1, 2]);
      expect(await wrongLists(sql)).toEqual([]);
      expect(new Set((await heldLists(sql)).map(({ state }) => state))).toEqual(new Set(["ready"]));
    },
  );
});

const pages = fc.oneof(
  fc.constantFrom(1, 2, 3, 30, 90, 170).map((page): PageSelector => ({ kind: "number", page })),
  fc.integer({ min: 1, max: POSTS + 10 }).map((id): PageSelector => ({ kind: "before", id })),
  fc.integer({ min: 0, max: POSTS + 10 }).map((id): PageSelector => ({ kind: "after", id })),
);
/** places in `tags`; required, excluded, or one of several of which a post has some */
const terms = fc.uniqueArray(fc.tuple(fc.nat(14), fc.constantFrom("", "", "", "-", "~", "~")), {
  selector: ([place]) => place,
  minLength: 1,
  maxLength: 5,
});

describe("a search of dates", () => {
  const DAY = 86_400_000;
  const idsOf = async (text: string) =>
    (
      await searchPostIds(test.board.database, {
        tags: text,
        raw: false,
        viewer: ANONYMOUS,
        maxTerms: 20,
        limit: 30,
        defaultLimit: 20,
        maxLimit: 200,
        page: { kind: "number", page: 1 },
      })
    ).ids;

  /** Searches of periods, each with what looking at every post finds. */
  async function compared(days: readonly number[]): Promise<void> {
    const { rows: ends } = await sql.query<{ first: Date }>("SELECT min(created_at) AS first FROM posts");
    for (const day of days) {
      const [from, to] = [day, day + 40].map((number) => new Date((ends[0]?.first.getTime() ?? 0) + number * DAY));
      const dates = [from, to].map((date) => date?.toISOString().slice(0, 10));
      const { rows } = await sql.query<{ id: number }>(
        "SELECT id FROM posts WHERE created_at >= $1::date AND created_at < $2::date ORDER BY id DESC",
        dates,
      );
      const all = rows.map(({ id }) => id);
      const period = `date:${dates.join("...")}`;
      expect([dates, await idsOf(period)]).toEqual([dates, all.slice(0, 30)]);
      expect([dates, await idsOf(`${period} order:id`)]).toEqual([dates, all.toReversed().slice(0, 30)]);
      const open = await sql.query<{ id: number }>(
        "SELECT id FROM posts WHERE created_at >= $1::date ORDER BY id LIMIT 30",
        [dates[0]],
      );
      expect(await idsOf(`date:>=${dates[0]} order:id`)).toEqual(open.rows.map(({ id }) => id));
    }
  }
  const DAYS = [-100, 0, 500, 1500, 2500, 3300, 3500, 3630, 4000];

  it(
    "finds the same as a scan of all posts, before and after the spans are filled in, and with posts of other times",
    { timeout: 60_000 },
    async () => {
      await compared(DAYS);
      await fillSpans(test.board.transact);
      const { rows } = await sql.query<{ block: number }>("SELECT block FROM post_spans ORDER BY block");
      expect(rows.map(({ block }) => block)).toEqual([0, 1, 2]);
      await compared(DAYS);
      // as imports do: the newest posts are of old dates, and the oldest of new ones
      await sql.query("UPDATE posts SET created_at = created_at - interval '5 years' WHERE id > 19900 AND id % 3 = 0");
      await sql.query("UPDATE posts SET created_at = created_at + interval '7 years' WHERE id < 9000 AND id % 5 = 0");
      await compared(DAYS);
      const { rows: wrong } = await sql.query(
        "SELECT id FROM posts p WHERE NOT EXISTS (SELECT FROM post_spans s WHERE s.block = p.id >> 13 AND p.created_at BETWEEN s.first AND s.last)",
      );
      expect(wrong).toEqual([]);
    },
  );
});

describe("a search by posting lists", () => {
  it("finds and counts the same as a scan of all posts", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        terms,
        pages,
        fc.constantFrom(7, 20, 100),
        fc.boolean(),
        async (drawn, page, limit, isOldest) => {
          const named = drawn.map(([place, sign]) => ({ sign, tag: tags[place % tags.length] as Tag }));
          const text = named.map(({ sign, tag }) => sign + tag.name).join(" ");
          const search = { tags: text, raw: false, viewer: ANONYMOUS, maxTerms: 20 };
          const ordered = isOldest ? `${text} order:id` : text;
          const { ids } = await searchPostIds(test.board.database, {
            ...search,
            tags: ordered,
            limit,
            defaultLimit: 20,
            maxLimit: 200,
            page,
          });
          const has = ({ tag }: (typeof named)[number]) => `${tag.id} = ANY(tag_ids)`;
          const some = named.filter(({ sign }) => sign === "~").map(has);
          const tests = named
            .filter(({ sign }) => sign !== "~")
            .map((term) => `${term.sign ? "NOT " : ""}${has(term)}`)
            .concat(some.length > 0 ? [`(${some.join(" OR ")})`] : []);
          const { rows } = await sql.query<{ id: number }>(
            `SELECT id FROM posts WHERE ${tests.join(" AND ")} ORDER BY id DESC`,
          );
          const all = rows.map(({ id }) => id);
          expect([ordered, page, ids]).toEqual([ordered, page, pageOf(all, page, limit, isOldest)]);
          const { count, isEstimate } = await countPosts({ db: test.board.database }, search);
          expect([text, isEstimate ? all.length : count]).toEqual([text, all.length]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("finds only posts that have a place in the order, hottest first, and beside an id too", async () => {
    await sql.query("UPDATE posts SET created_at = now() - (20000 - id) * interval '20 min' WHERE id > 19700");
    // older than two days, and with a higher rank than most of those that are not
    await sql.query(
      "UPDATE posts SET score = 100000, up_score = 100000, down_score = 0 WHERE id BETWEEN 19800 AND 19820",
    );
    const among = (text: string, page: PageSelector) =>
      searchPostIds(test.board.database, {
        tags: text,
        raw: false,
        viewer: ANONYMOUS,
        maxTerms: 20,
        limit: 60,
        defaultLimit: 20,
        maxLimit: 200,
        page,
      }).then(({ ids }) => ids);
    const hot = async (tag: string | null, page: string): Promise<number[]> => {
      const { rows } = await sql.query<{ id: number }>(
        `SELECT p.id FROM posts p WHERE ($1::text IS NULL OR (SELECT id FROM tags WHERE name = $1) = ANY(p.tag_ids))
            AND p.score > 0 AND p.created_at > now() - interval '2 days' ${page} LIMIT 60`,
        [tag],
      );
      return rows.map(({ id }) => id);
    };
    const hottest = "ORDER BY ln(p.score) / ln(3) + extract(epoch FROM p.created_at) / 35000 DESC, p.id DESC";
    const first: PageSelector = { kind: "number", page: 1 };
    const found = await hot(null, hottest);
    expect(found.length).toBeGreaterThan(20);
    expect(await among("order:rank", first)).toEqual(found);
    expect(await among("long_hair order:rank", first)).toEqual(await hot("long_hair", hottest));
    expect(await among("long_hair order:rank", { kind: "before", id: 19_965 })).toEqual(
      await hot("long_hair", "AND p.id < 19965 ORDER BY p.id DESC"),
    );
  });

  /** The count of each plan that posting lists are part of, whatever the planner would choose. */
  async function countsOf(text: string): Promise<[Plan["kind"], number | undefined][]> {
    const { database: db } = test.board;
    const { query } = parseSearch(text, () => undefined, 20);
    const resolved = substituteTags(query, await resolveTerms({ db }, tagNamesIn(query)));
    const postings = postingsOf(resolved);
    if (postings?.rest.type !== "all") return [];
    const found = { query: resolved, order: BY_ID, context: { viewer: ANONYMOUS, now: new Date() } };
    const counting = (["postings", "few"] as const).map(async (kind): Promise<[Plan["kind"], number | undefined]> => {
      const [row] = await db.query<{ count: number }>(countStatement(found, { kind, postings, cost: 0 }));
      return [kind, row?.count];
    });
    return Promise.all(counting);
  }

  it("counts any two tags exactly, many and few, by each plan", { timeout: 60_000 }, async () => {
    const counts: number[] = [];
    const { rows: commonest } = await sql.query<Tag>("SELECT id, name FROM tags ORDER BY post_count DESC, id LIMIT 2");
    const all = [...commonest, ...tags];
    for (const a of all)
      for (const b of all) {
        if (a.id === b.id) continue;
        const search = { tags: `${a.name} ${b.name}`, raw: false, viewer: ANONYMOUS, maxTerms: 20 };
        const { rows } = await sql.query<{ count: number }>(
          "SELECT count(*)::int AS count FROM posts WHERE tag_ids @> ARRAY[$1, $2]::int[]",
          [a.id, b.id],
        );
        expect([search.tags, await countPosts({ db: test.board.database }, search)]).toEqual([
          search.tags,
          { count: rows[0]?.count, isEstimate: false },
        ]);
        for (const [kind, count] of await countsOf(search.tags)) {
          expect([search.tags, kind, count]).toEqual([search.tags, kind, rows[0]?.count]);
          counts.push(count ?? 0);
        }
      }
    // the index of tag ids is left after a thousand posts
    expect([Math.min(...counts) < 5, Math.max(...counts) > 1_000]).toEqual([true, true]);
  });
});

function pageOf(newestFirst: readonly number[], page: PageSelector, limit: number, isOldest: boolean): number[] {
  if (page.kind === "before") return newestFirst.filter((id) => id < page.id).slice(0, limit);
  if (page.kind === "after") return newestFirst.filter((id) => id > page.id).slice(-limit);
  if (page.kind !== "number") return [];
  const all = isOldest ? newestFirst.toReversed() : newestFirst;
  return all.slice((page.page - 1) * limit, page.page * limit);
}
