/**
 * Searches by posting lists of several blocks, on a generated board of 20,000 posts: the same pages and counts as by looking at
 * every post. Sixteen writers edit its posts while the lists are made.
 */
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateBoard } from "../../bench/generate.js";
import { ANONYMOUS } from "../../src/runtime/auth/viewer.js";
import type { PageSelector } from "../../src/search/page.js";
import { fillSpans } from "../../src/search/postings/spans.js";
import { countPosts, searchPostIds } from "../../src/search/posts/search.js";
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
  await generateBoard(database.url, { posts: POSTS, seed: 3 });
  test = await startBoard({ DATABASE_URL: database.url });
  sql = new pg.Pool({ connectionString: database.url, max: 4 });
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
  it("lists are made that hold what was written before, meanwhile and afterwards", { timeout: 300_000 }, async () => {
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
  });
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
        "SELECT id FROM posts WHERE created_at >= $1::date AND created_at < $2::date ORDER BY id DESC LIMIT 30",
        dates,
      );
      const all = rows.map(({ id }) => id);
      expect([dates, await idsOf(`date:${dates.join("...")}`)]).toEqual([dates, all]);
    }
  }
  const DAYS = [-100, 0, 500, 1500, 2500, 3300, 3500, 3630, 4000];

  it(
    "finds what looking at every post finds, before and after the spans are filled in, and with posts of other times",
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
  it("finds and counts what looking at every post finds", { timeout: 300_000 }, async () => {
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
          const { count, isEstimate } = await countPosts(test.board.database, search);
          expect([text, isEstimate ? all.length : count]).toEqual([text, all.length]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("finds only posts that have a place in the order, beside an id too", async () => {
    const liked = `SELECT p.id FROM posts p JOIN tags t ON t.id = ANY(p.tag_ids) AND t.name = 'long_hair'
                    WHERE p.score > 0 AND p.created_at > now() - interval '2 days' AND p.id < $1 ORDER BY p.id DESC LIMIT 30`;
    await sql.query("UPDATE posts SET created_at = now() - interval '1 hour' WHERE id BETWEEN 19950 AND 19970");
    const { rows } = await sql.query<{ id: number }>(liked, [19_965]);
    const found = await searchPostIds(test.board.database, {
      tags: "long_hair order:rank",
      raw: false,
      viewer: ANONYMOUS,
      maxTerms: 20,
      limit: 30,
      defaultLimit: 20,
      maxLimit: 200,
      page: { kind: "before", id: 19_965 },
    });
    expect(rows.length).toBeGreaterThan(0);
    expect(found.ids).toEqual(rows.map(({ id }) => id));
  });

  it("counts any two tags exactly", { timeout: 60_000 }, async () => {
    for (const a of tags)
      for (const b of tags) {
        if (a === b) continue;
        const search = { tags: `${a.name} ${b.name}`, raw: false, viewer: ANONYMOUS, maxTerms: 20 };
        const { rows } = await sql.query<{ count: number }>(
          "SELECT count(*)::int AS count FROM posts WHERE tag_ids @> ARRAY[$1, $2]::int[]",
          [a.id, b.id],
        );
        expect([search.tags, await countPosts(test.board.database, search)]).toEqual([
          search.tags,
          { count: rows[0]?.count, isEstimate: false },
        ]);
      }
  });
});

function pageOf(newestFirst: readonly number[], page: PageSelector, limit: number, isOldest: boolean): number[] {
  if (page.kind === "before") return newestFirst.filter((id) => id < page.id).slice(0, limit);
  if (page.kind === "after") return newestFirst.filter((id) => id > page.id).slice(-limit);
  if (page.kind !== "number") return [];
  const all = isOldest ? newestFirst.toReversed() : newestFirst;
  return all.slice((page.page - 1) * limit, page.page * limit);
}
