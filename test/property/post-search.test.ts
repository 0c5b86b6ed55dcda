/**
 * The post search compared with an independent filter in memory: random searches on random boards, with every plan, find the same posts in the same
 * order.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANONYMOUS, type Viewer } from "../../src/runtime/auth/viewer.js";
import type { Database } from "../../src/database/client.js";
import type { PageSelector } from "../../src/search/page.js";
import { findMetatag, metatagNames } from "../../src/search/posts/metatags/index.js";
import type { PostingLimits } from "../../src/search/postings/lists.js";
import { PostingMaker } from "../../src/search/postings/maker.js";
import { fillSpans } from "../../src/search/postings/spans.js";
import { postingsOf } from "../../src/search/postings/plan.js";
import { unionOf } from "../../src/search/postings/union.js";
import { BY_ID, BY_ID_ASCENDING, ORDERS } from "../../src/search/posts/orders.js";
import { parseSearch } from "../../src/search/posts/parser.js";
import { choosePlan, type Plan } from "../../src/search/posts/planner.js";
import { countPosts, searchPostIds } from "../../src/search/posts/search.js";
import { shapeOf } from "../../src/search/posts/shape.js";
import { partsByAlternatives, partsByIds } from "../../src/search/posts/parts.js";
import { idsStatement, orderOfPage } from "../../src/search/posts/statement.js";
import { resolveTerms, substituteTags, tagNamesIn } from "../../src/search/posts/tags.js";
import { connect, createDatabase, type TestDatabase } from "../support/database.js";
import { type BoardPost, makeBoard, NOW, USERS } from "./post-search/board.js";
import { conditions, type Searcher } from "./post-search/metatags.js";
import { NEWEST, orders, sorted } from "./post-search/orders.js";
import { collections, metatag, type RandomSearch, searches } from "./post-search/searches.js";
import { writeBoard } from "./post-search/write.js";

/**
 * Small boards, where all sorts of posts meet, and two that are large enough for every plan to be chosen. Where `lists` is given,
 * tags of so many posts have posting lists, and those of such a share lists of bits.
 */
const BOARDS = [
  { seed: 1, size: 40, runs: 150, plans: [] },
  { seed: 2, size: 150, runs: 200, lists: { least: 3, common: 0.3 }, plans: ["postings"] },
  { seed: 3, size: 6000, runs: 100, plans: ["walk", "gather", "window"] },
  { seed: 4, size: 6000, runs: 100, lists: { least: 200, common: 0.2 }, plans: ["walk", "postings"] },
];

const DAY = 86_400_000;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;
const MANY_TERMS = 10_000;

const searchers: Searcher[] = [
  { name: null, isAdmin: false },
  { name: "albert", isAdmin: false },
  { name: "Berta", isAdmin: false },
  { name: null, isAdmin: true },
];

const viewerOf = ({ name, isAdmin }: Searcher): Viewer => {
  if (isAdmin) return { id: 1000, name: "keeper", level: 50, isBanned: false, proof: "basic" };
  if (name === null) return ANONYMOUS;
  return { id: USERS.indexOf(name) + 1, name, level: 20, isBanned: false, proof: "basic" };
};

interface Case {
  search: RandomSearch;
  searcher: Searcher;
  page: PageSelector;
  limit: number | null;
  /** of a plan that is no walk to the end */
  window: number;
}

const cases = (board: ReturnType<typeof makeBoard>): fc.Arbitrary<Case> =>
  fc.oneof(
    ...searchers.map((searcher) =>
      fc.record({
        search: searches(board, searcher),
        searcher: fc.constant(searcher),
        page: fc.oneof(
          { weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }).map((page) => ({ kind: "number", page }) as const) },
          fc.nat(board.posts.length + 2).map((id) => ({ kind: "before", id }) as const),
          fc.nat(board.posts.length + 2).map((id) => ({ kind: "after", id }) as const),
        ),
        limit: fc.constantFrom(null, null, null, 1, 7, MAX_LIMIT, MAX_LIMIT + 1),
        window: fc.constantFrom(1, 10, 100, 10_000),
      }),
    ),
  );

/** What the filter in memory finds. */
function expected(board: ReturnType<typeof makeBoard>, { search, page, limit }: Case) {
  const found = sorted(board.posts.filter(search.test), page.kind === "number" ? search.order : NEWEST);
  const ids = found.map((post) => post.id);
  const size = Math.min(limit ?? search.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  if (page.kind === "after") {
    const newer = ids.filter((id) => id > page.id);
    return { ids: newer.slice(-size), hasMore: newer.length > size, offset: 0, byId: true, count: ids.length };
  }
  const offset = page.kind === "number" ? (page.page - 1) * size : 0;
  const from = page.kind === "before" ? ids.filter((id) => id < page.id) : ids.slice(offset);
  const byId = page.kind === "before" || search.order === NEWEST;
  return { ids: from.slice(0, size), hasMore: from.length > size, offset, byId, count: ids.length };
}

/** A board in a database of its own, and the search of it; called within `describe`. */
function boardOf({ seed, size, lists }: { seed: number; size: number; lists?: PostingLimits }) {
  const board = makeBoard(seed, size);
  let database: TestDatabase;
  let connection: Awaited<ReturnType<typeof connect>>;
  let db: Database;

  beforeAll(async () => {
    database = await createDatabase();
    connection = await connect(database.url);
    db = connection.database;
    await writeBoard(db, board);
    if (lists) {
      await fillSpans(connection.transact);
      await new PostingMaker(connection.transact).maintain(undefined, lists);
    }
  });

  afterAll(async () => {
    await connection[Symbol.asyncDispose]();
    await database.drop();
  });

  const found = ({ search, searcher, page, limit }: Case) =>
    searchPostIds(db, {
      tags: search.text,
      raw: false,
      viewer: viewerOf(searcher),
      limit,
      defaultLimit: DEFAULT_LIMIT,
      maxLimit: MAX_LIMIT,
      page,
      maxTerms: MANY_TERMS,
      now: NOW,
    });

  const counted = async ({ search, searcher }: Case) => {
    const tags = search.text;
    return countPosts({ db }, { tags, raw: false, viewer: viewerOf(searcher), maxTerms: MANY_TERMS, now: NOW });
  };

  /** The same page by each plan that the order allows; the last one is what the planner would choose. */
  async function byEveryPlan({ search, searcher, page, limit, window }: Case) {
    const context = { viewer: viewerOf(searcher), now: NOW };
    const parsed = parseSearch(search.text, (name) => findMetatag(name)?.name, Infinity);
    const shape = shapeOf(parsed.query, context);
    const tags = await resolveTerms({ db }, tagNamesIn(shape.query));
    const query = substituteTags(shape.query, tags);
    const order = shape.order ?? BY_ID;
    const fetch = Math.min(limit ?? shape.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
    const skip = page.kind === "number" ? (page.page - 1) * fetch : 0;
    const postings = postingsOf(query);
    const union = unionOf(query);
    const isById = [BY_ID, BY_ID_ASCENDING].includes(orderOfPage(order, page));
    const ways: Plan[] = [
      { kind: "walk" },
      { kind: "gather" },
      ...(orderOfPage(order, page).isIndexed ? [{ kind: "window", rows: window } as const] : []),
      ...(isById && order.where === undefined
        ? ([{ kind: "narrow", rows: window }, { kind: "sorted" }, { kind: "rare" }] as const)
        : []),
      ...(partsByIds({ query, context }) || partsByAlternatives({ query, context })
        ? ([{ kind: "few", most: window, otherwise: { kind: "walk" } }] as const)
        : []),
      ...(postings && isById ? [{ kind: "postings", postings } as const] : []),
      ...(union && isById ? [{ kind: "union", union } as const] : []),
    ];
    const pages = new Map<string, number[]>();
    for (const plan of ways) {
      const statement = idsStatement({ query, order, context, page, fetch, skip }, plan);
      const rows = await db.query<{ id: number }>(statement);
      const ids = rows.map((row) => row.id);
      pages.set(plan.kind, page.kind === "after" ? ids.toReversed() : ids);
    }
    const isPartial = order.where !== undefined;
    const input = { query, order: orderOfPage(order, page), posts: tags.posts, wanted: skip + fetch + 1, isPartial };
    return { pages, chosen: choosePlan(input).kind };
  }

  /** Compares all answers with the filter's; says which plan the planner would choose. */
  async function compare(one: Case): Promise<Plan["kind"]> {
    const { count, ...result } = expected(board, one);
    const { text } = one.search;
    expect({ text, ...(await found(one)) }).toMatchObject({ text, ...result });
    expect({ text, ...(await counted(one)) }).toMatchObject({ text, count });
    const { pages, chosen } = await byEveryPlan(one);
    for (const [plan, ids] of pages) expect({ text, plan, ids }).toEqual({ text, plan, ids: result.ids });
    return chosen;
  }

  return { board, found, compare };
}

describe.each(BOARDS)("a search of board $seed with $size posts", ({ runs, plans, ...made }) => {
  const { board, compare } = boardOf(made);

  it("finds the same posts as a filter in memory, by every plan", { timeout: 120_000 }, async () => {
    const chosen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(cases(board), async (one) => void chosen.add(await compare(one))),
      { numRuns: runs },
    );
    expect([...chosen]).toEqual(expect.arrayContaining(plans));
  });
});

describe.each(BOARDS.slice(0, 2))("the whole search language, on board $seed with $size posts", (made) => {
  const { board, found, compare } = boardOf(made);
  const whole = { page: { kind: "number", page: 1 }, limit: MAX_LIMIT, window: 10 } as const;
  const everything = { order: NEWEST, limit: null };

  it("sorts all posts in every order", { timeout: 120_000 }, async () => {
    for (const [name, order] of Object.entries(orders(board))) {
      const search = { ...everything, text: `order:${name}`, order, test: order.where ?? (() => true) };
      await compare({ ...whole, search, searcher: searchers[0] as Searcher });
    }
    for (const searcher of searchers) {
      for (const { text, order, test } of collections(board, searcher)) {
        await compare({ ...whole, searcher, search: { ...everything, text, order, test } });
      }
    }
  });

  it("separates days to the millisecond", async () => {
    const midnight = Math.floor(NOW.getTime() / DAY) * DAY;
    for (let day = midnight - 42 * DAY; day <= midnight; day += DAY) {
      const text = `date:${new Date(day).toISOString().slice(0, 10)}`;
      const test = (post: BoardPost) => day <= post.created && post.created < day + DAY;
      await compare({ ...whole, search: { ...everything, text, test }, searcher: searchers[0] as Searcher });
    }
  });

  it("reads every meta-tag, alone and negated", { timeout: 120_000 }, async () => {
    const searcher = searchers[1] as Searcher;
    for (const [name, values] of Object.entries(conditions(board, searcher))) {
      // every word has its turn; of numbers a few will do
      const samples = fc.sample(metatag(name, values), findMetatag(name)?.words ? 150 : 12);
      const different = new Map(samples.map((sample) => [sample.text.toLowerCase().replace(/["']/g, ""), sample]));
      for (const { text, test } of different.values()) {
        const both = [
          { ...everything, text, test },
          { ...everything, text: `-${text}`, test: (post: BoardPost) => !test(post) },
        ];
        for (const search of both) {
          const one = { ...whole, searcher, search };
          const { ids } = await found(one);
          expect({ text: search.text, ids }).toEqual({ text: search.text, ids: expected(board, one).ids });
        }
      }
    }
  });
});

describe("the random searches", () => {
  const board = makeBoard(1, 20);
  const [visitor] = searchers as [Searcher];

  it("use every meta-tag", () => {
    const directives = ["order", "limit", "ordpool", "ordfav", "ordfavgroup", "unaliased"];
    const known = [...Object.keys(conditions(board, visitor)), ...directives];
    // `random:` has another result every time
    expect(known.sort()).toEqual(
      metatagNames()
        .filter((name) => name !== "random")
        .sort(),
    );
  });

  it("use every order", () => {
    expect(Object.keys(orders(board)).sort()).toEqual(
      ORDERS.flatMap(({ names }) => names)
        .filter((name) => name !== "random")
        .sort(),
    );
  });
});
