/**
 * Pages of every listing, with and without records being added meanwhile: nothing is missed, nothing appears twice.
 * The listings are those of the table of operations; the orders are those that they declare.
 */
import { getNullableType, isEnumType, isInputObjectType } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ORDERS } from "../../src/search/posts/orders.js";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import {
  addTo,
  connections,
  idsOf,
  type Listing,
  listings,
  makeRecords,
  OWN_ORDER,
  type Records,
  shuffle,
} from "../support/listings.js";
import { makeStage, type Stage } from "../support/stage.js";

const LIMIT = 4;
const RECORDS = 25;
/** A page that holds everything, and the id before which everything is. */
const EVERYTHING = 100;
const ABOVE_ALL = "b2147483648";

let test: TestBoard;
let stage: Stage;
let admin: TestUser;
let records: Record<string, Records>;
beforeAll(async () => {
  test = await startBoard();
  stage = await makeStage(test);
  admin = await test.make.user("Admin");
  records = await makeRecords(stage, admin);
}, 60_000);
afterAll(() => test[Symbol.asyncDispose]());

const of = ({ field }: Listing): Records => {
  const found = records[field];
  if (!found) throw new Error(`no way is known to add records to ${field}`);
  return found;
};
const add = (listing: Listing): Promise<number> => addTo(stage, of(listing));
const page = (listing: Listing, params: Params): Promise<number[]> =>
  idsOf(admin.client, listing, { ...of(listing).params, ...params });
const everything = (listing: Listing, params: Params = {}): Promise<number[]> =>
  page(listing, { ...params, limit: EVERYTHING });

const descending = (ids: number[]): number[] => [...ids].sort((a, b) => b - a);
const ascending = (ids: number[]): number[] => [...ids].sort((a, b) => a - b);

/** From newest to oldest by `page=b<id>`; something may happen after each page. */
async function walkDown(listing: Listing, between = async (): Promise<unknown> => undefined): Promise<number[]> {
  const seen = [];
  for (let position = ABOVE_ALL; ;) {
    const ids = await page(listing, { limit: LIMIT, page: position });
    seen.push(...ids);
    if (ids.length < LIMIT) return seen;
    position = `b${ids.at(-1)}`;
    await between();
  }
}

/** From oldest to newest by `page=a<id>`. */
async function walkUp(listing: Listing, between: () => Promise<unknown>): Promise<number[]> {
  const seen = [];
  for (let position = "a0"; ;) {
    const ids = await page(listing, { limit: LIMIT, page: position });
    seen.push(...ids.toReversed());
    if (ids.length < LIMIT) return seen;
    position = `a${ids[0]}`;
    await between();
  }
}

/** Page after page by number. */
async function walkNumbers(listing: Listing, params: Params = {}, between = async (): Promise<unknown> => undefined) {
  const limit = Number(params.limit ?? LIMIT);
  const seen = [];
  for (let number = 1; ; number += 1) {
    const ids = await page(listing, { ...params, limit, page: number });
    seen.push(...ids);
    if (ids.length < limit) return seen;
    await between();
  }
}

/** What `search[order]` of the listing takes. */
function ordersOf({ field }: Listing): string[] {
  const queries = sharedSchema().getQueryType()?.getFields() ?? {};
  const search = queries[field]?.args.find(({ name }) => name === "search");
  const input = search && getNullableType(search.type);
  const order = isInputObjectType(input) ? input.getFields().order : undefined;
  const words = order && getNullableType(order.type);
  return isEnumType(words) ? words.getValues().map(({ name }) => name.toLowerCase()) : [];
}

const title = ({ name, field }: Listing): string => `${name}, ${OWN_ORDER[field] ?? "newest first"}`;

describe("the listings with pages", () => {
  it("are all of the schema", () => {
    expect(listings.map(({ field }) => field).sort()).toEqual(connections.map(({ name }) => name).sort());
  });
});

describe.each(listings.map((listing) => [title(listing), listing] as const))("%s", (_title, listing) => {
  let before: number[];
  const added: number[] = [];
  beforeAll(async () => {
    before = await everything(listing);
    for (let count = 0; count < RECORDS; count += 1) added.push(await add(listing));
  });

  it("contains added records, as many as `limit` says", async () => {
    const all = await everything(listing);
    const newestFirst = descending([...added, ...before]);
    expect(OWN_ORDER[listing.field] ? descending(all) : all).toEqual(newestFirst);
    for (const limit of [1, LIMIT, RECORDS]) expect(await page(listing, { limit })).toEqual(all.slice(0, limit));
  });

  it("by number: every record once, in the listing's order, the same as before ids", async () => {
    const all = await everything(listing);
    expect(await walkNumbers(listing)).toEqual(all);
    expect(await walkDown(listing)).toEqual(descending(all));
    expect(await page(listing, { limit: LIMIT, page: Math.ceil(all.length / LIMIT) + 1 })).toEqual([]);
  });

  it("before ids, while records are added: each existing record once, newest first", async () => {
    const there = await everything(listing);
    let later = 0;
    const seen = await walkDown(listing, async () => {
      await add(listing);
      later += 1;
    });
    expect(seen).toEqual(descending(there));
    expect((await everything(listing)).length).toBe(there.length + later);
  });

  it("after ids, while records are added: each record once, including added ones, oldest first", async () => {
    const there = await everything(listing);
    const later: number[] = [];
    const seen = await walkUp(listing, async () => later.push(await add(listing)));
    expect(later.length).toBeGreaterThan(RECORDS / LIMIT - 1);
    expect(seen).toEqual([...ascending(there), ...later]);
  });

  it.each(ordersOf(listing))("by number in the order of %s: ties by id, none twice, none missing", async (order) => {
    const all = await everything(listing);
    const searched = { ...(of(listing).params?.search as Params | undefined) };
    const key = ordersOf(listing).indexOf(order) % 2 === 0 ? "order" : "sort";
    const params = { search: { ...searched, [key]: order } };
    const seen = await walkNumbers(listing, params, () => shuffle(stage, of(listing)));
    expect(descending(seen)).toEqual(descending(all));
    expect(seen).toEqual(await everything(listing, params));
    expectByIdAmong(added, seen);
  });
});

/** The records that are equal but for their ids (and names, which follow these) stand all up or all down. */
function expectByIdAmong(equals: number[], seen: number[]): void {
  const order = seen.filter((id) => equals.includes(id));
  expect([ascending(equals), descending(equals)]).toContainEqual(order);
}

describe("GET /posts.json?tags=order:...", () => {
  const posts = listings.find(({ field }) => field === "posts") as Listing;
  /** Draws a new order for each page, so that pages have nothing to do with each other. */
  const UNSTABLE = ["random"];
  /** By what is another for each of the posts. */
  const UNEQUAL = ["md5", "md5_asc"];

  it.each(ORDERS.map(({ names }) => names[0] ?? "").filter((order) => !UNSTABLE.includes(order)))(
    "%s: by number, ties by id, none twice, none missing",
    async (order) => {
      const all = await everything(posts);
      const tags = `rating:e order:${order}${order === "custom" ? ` id:${ascending(all).join(",")}` : ""}`;
      const seen = await walkNumbers(posts, { tags, limit: 2 * LIMIT }, () => shuffle(stage, of(posts)));
      expect(descending(seen)).toEqual(descending(all));
      expect(seen).toEqual(await everything(posts, { tags }));
      if (!UNEQUAL.includes(order)) expectByIdAmong(all, seen);
    },
  );

  it("is replaced by the order by id in pages before or after an id", async () => {
    const all = await everything(posts);
    const tags = "rating:e order:score_asc";
    expect(await page(posts, { tags, limit: LIMIT, page: `b${all[2]}` })).toEqual(all.slice(3, 3 + LIMIT));
    expect(await page(posts, { tags, limit: LIMIT, page: `a${all[LIMIT]}` })).toEqual(all.slice(0, LIMIT));
  });
});
