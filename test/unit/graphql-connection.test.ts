import "reflect-metadata";
import { describe, expect, it } from "vitest";
import { costOf, PAGE } from "../../graphql/shared/bounded.js";
import { toConnection, toPageRequest } from "../../graphql/shared/connection.js";
import type { Page } from "../../src/search/listing.js";

const pageOf = (over: Partial<Page<{ id: number }>> = {}): Page<{ id: number }> => ({
  rows: [{ id: 9 }, { id: 7 }],
  hasMore: true,
  hasOthers: () => Promise.reject(new Error("nobody asked")),
  afterId: null,
  number: 1,
  byId: true,
  offset: 0,
  count: () => Promise.reject(new Error("nobody asked")),
  ...over,
});

describe("toConnection", () => {
  it("counts only on request", async () => {
    const connection = toConnection(pageOf());
    expect(connection.nodes).toEqual([{ id: 9 }, { id: 7 }]);
    await expect(connection.count()).rejects.toThrow("nobody asked");
  });

  it("gives cursors for the position after their record: the id in lists by id", () => {
    const { edges, pageInfo } = toConnection(pageOf());
    expect(edges.map(({ cursor }) => toPageRequest({ after: cursor }).after)).toEqual([
      { kind: "before", id: 9 },
      { kind: "before", id: 7 },
    ]);
    expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual(edges.map(({ cursor }) => cursor));
  });

  it("the position in lists of another order", () => {
    const { edges, pageInfo } = toConnection(pageOf({ byId: false, offset: 20, hasMore: false }));
    expect(edges.map(({ cursor }) => toPageRequest({ after: cursor }).after)).toEqual([
      { kind: "offset", offset: 21 },
      { kind: "offset", offset: 22 },
    ]);
    expect(pageInfo.hasNextPage()).toBe(false);
  });

  it("ends with the cursor of the last record that was not removed since the page was read", () => {
    const ends = [true, false].map((byId) => {
      const { edges, pageInfo } = Object.assign(toConnection(pageOf({ byId })), { nodes: [{ id: 9 }] });
      return [edges.at(-1)?.cursor, pageInfo.startCursor, pageInfo.endCursor];
    });
    for (const [cursor, start, end] of ends) expect([start, end]).toEqual([cursor, cursor]);
  });

  it("has no cursors without records", () => {
    const { edges, pageInfo } = toConnection(pageOf({ rows: [], hasMore: false }));
    expect([edges, pageInfo.startCursor, pageInfo.endCursor]).toEqual([[], null, null]);
  });
});

describe("pageInfo", () => {
  it("looks up only on request whether there are records on the side where the page begins", async () => {
    const hasOthers = () => Promise.resolve(true);
    expect(toConnection(pageOf()).pageInfo.hasNextPage()).toBe(true);
    expect(await toConnection(pageOf({ hasOthers })).pageInfo.hasPreviousPage()).toBe(true);
    expect(toConnection(pageOf({ afterId: 1, hasMore: false })).pageInfo.hasPreviousPage()).toBe(false);
    expect(await toConnection(pageOf({ afterId: 1, hasOthers })).pageInfo.hasNextPage()).toBe(true);
  });
});

describe("the cost of a list", () => {
  it.each([
    [undefined, 81],
    [null, 81],
    [1, 5],
    [0, 5],
    [-5, 5],
    [100, 401],
    [5000, 4001],
  ])("of first: %s with records that cost 1 and fields that cost 3 is %i", (first, cost) => {
    const args = first === undefined ? {} : { first };
    expect(costOf(PAGE)({ args, childComplexity: 3 })).toBe(cost);
  });
});
