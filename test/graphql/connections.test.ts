/** Lists as connections: nodes, edges, cursors, pages and counts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

interface Connection {
  nodes: { id: number }[];
  edges: { cursor: string; node: { id: number } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  totalCount: number;
}

const PAGE = `query($tags: String, $first: Int, $after: String, $page: String) {
  posts(tags: $tags, first: $first, after: $after, page: $page) {
    nodes { id }
    edges { cursor node { id } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    totalCount
  }
}`;

let test: TestBoard;
let uploader: TestUser;
/** oldest first */
const ids: number[] = [];

const newPost = async (tags = "walked"): Promise<number> => (await test.make.post(tags, {}, uploader)).id;

beforeAll(async () => {
  test = await startBoard({ MAX_POSTS_PER_PAGE: "5", MAX_PAGE: "10" });
  await test.make.user();
  uploader = await test.make.user("Contributor");
  for (let count = 0; count < 7; count += 1) ids.push(await newPost());
  for (const [index, score] of [3, 1, 2, 5, 4, 0, 6].entries()) {
    await test.board.database.post.update({ where: { id: ids[index] as number }, data: { score, upScore: score } });
  }
});
afterAll(() => test[Symbol.asyncDispose]());

const ask = (variables: Record<string, unknown>): Promise<Answer> => test.anonymous.graphql(PAGE, variables);

async function page(variables: Record<string, unknown>): Promise<Connection> {
  const { json } = await ask(variables);
  expect(json.errors).toBeUndefined();
  return json.data.posts as Connection;
}

const idsOf = ({ nodes }: Connection): number[] => nodes.map((node) => node.id);

/** All pages from cursor to cursor; something may happen after each. */
async function walk(tags: string, first: number, between: () => Promise<unknown> = () => Promise.resolve()) {
  const seen: number[] = [];
  for (let after: string | null = null; ;) {
    const connection: Connection = await page({ tags, first, after });
    seen.push(...idsOf(connection));
    if (!connection.pageInfo.hasNextPage) return seen;
    after = connection.pageInfo.endCursor;
    await between();
  }
}

describe("a connection", () => {
  it("has its records as nodes and, with their cursors, as edges", async () => {
    const { nodes, edges, pageInfo, totalCount } = await page({ tags: "walked", first: 2 });
    expect(nodes).toEqual([{ id: ids[6] }, { id: ids[5] }]);
    expect(edges.map((edge) => edge.node)).toEqual(nodes);
    expect(pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor,
      endCursor: edges[1]?.cursor,
    });
    expect(totalCount).toBe(7);
  });

  it("begins after the cursor of any edge", async () => {
    const { edges } = await page({ tags: "walked", first: 4 });
    expect(idsOf(await page({ tags: "walked", first: 3, after: edges[1]?.cursor }))).toEqual([ids[4], ids[3], ids[2]]);
  });

  it("may be empty", async () => {
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
    expect(await page({ tags: "nothing_has_it" })).toEqual({ nodes: [], edges: [], pageInfo, totalCount: 0 });
  });

  it("ends where the records end", async () => {
    const { edges } = await page({ tags: "walked", first: 5 });
    const last = await page({ tags: "walked", first: 2, after: edges[4]?.cursor });
    expect([idsOf(last), last.pageInfo.hasNextPage]).toEqual([[ids[1], ids[0]], false]);
  });

  it.each([
    [0, 1],
    [-3, 1],
    [5, 5],
    [100, 5],
  ])("of %i records has %i, the number being clamped", async (first, count) => {
    expect(idsOf(await page({ tags: "walked", first }))).toHaveLength(count);
  });
});

describe("paging by cursor", () => {
  it("by id neither misses nor repeats a post while new ones are added", async () => {
    expect(await walk("walked", 2, () => newPost("walked later"))).toEqual(ids.toReversed());
  });

  it("in another order uses positions", async () => {
    const byScore = [6, 3, 4, 0, 2, 1, 5].map((index) => ids[index]);
    expect(await walk("walked -later order:score", 3)).toEqual(byScore);
  });

  it("reports previous pages if it uses positions", async () => {
    const { pageInfo } = await page({ tags: "walked order:score", first: 2 });
    const second = await page({ tags: "walked order:score", first: 2, after: pageInfo.endCursor });
    expect([pageInfo.hasPreviousPage, second.pageInfo.hasPreviousPage]).toEqual([false, true]);
  });
});

describe("nextPage", () => {
  const NEXT =
    "query($tags: String, $page: String) { posts(tags: $tags, first: 1, page: $page) { nodes { id } pageInfo { nextPage } } }";
  const next = async (tags: string, at: string) => {
    const { json } = await test.anonymous.graphql(NEXT, { tags, page: at });
    expect(json.errors).toBeUndefined();
    const { nodes, pageInfo } = json.data.posts as { nodes: { id: number }[]; pageInfo: { nextPage: string | null } };
    return { id: nodes[0]?.id, page: pageInfo.nextPage };
  };
  const numbered: number[] = [];
  beforeAll(async () => {
    for (let count = 0; count < 13; count += 1) numbered.unshift(await newPost("numbered"));
  });

  it("is the next number, after the last number the page before the last id, and null at the end", async () => {
    const seen: (readonly [id: number | undefined, page: string | null])[] = [];
    for (let at: string | null = "1"; at !== null;) {
      const found = await next("numbered", at);
      seen.push([found.id, found.page]);
      at = found.page;
    }
    const numbers = ["2", "3", "4", "5", "6", "7", "8", "9", "10"];
    const pages = [...numbers, ...numbered.slice(9, 12).map((id) => `b${id}`), null];
    expect(seen).toEqual(numbered.map((id, index) => [id, pages[index]]));
  });

  it("of an empty page after the newest id is the page with that id", async () => {
    const newest = numbered[0] as number;
    expect(await next("numbered", `a${newest}`)).toEqual({ id: undefined, page: `b${newest + 1}` });
  });

  it("is null after the last number in another order", async () => {
    expect((await next("numbered order:score", "9")).page).toBe("10");
    expect((await next("numbered order:score", "10")).page).toBe(null);
  });
});

describe("pages by number and by id", () => {
  it("by number", async () => {
    const second = await page({ tags: "walked -later", first: 3, page: "2" });
    expect([idsOf(second), second.pageInfo]).toMatchObject([
      [ids[3], ids[2], ids[1]],
      { hasNextPage: true, hasPreviousPage: true },
    ]);
  });

  it("before an id", async () => {
    expect(idsOf(await page({ tags: "walked", first: 2, page: `b${ids[4]}` }))).toEqual([ids[3], ids[2]]);
  });

  it("after an id: the next newer ones, newest first", async () => {
    expect(idsOf(await page({ tags: "walked", first: 2, page: `a${ids[1]}` }))).toEqual([ids[3], ids[2]]);
  });

  it("after an id, with newer records on the page before and the id's own on the next one", async () => {
    const info = async (first: number, after: number) =>
      (await page({ tags: "walked", first, page: `a${after}` })).pageInfo;
    const newest = (await page({ tags: "walked", first: 1 })).nodes[0]?.id ?? 0;
    expect(await info(2, ids[1] as number)).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
    expect(await info(5, newest - 1)).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
    expect(await info(5, newest)).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
    expect(await info(2, 0)).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
    expect(await info(2, (ids[0] as number) - 1)).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
  });

  it("before an id, with the id's own and newer records on the page before", async () => {
    const info = async (list: string, before: number) => {
      const { json } = await test.anonymous.graphql(
        `{ list: ${list}first: 2, page: "b${before}") { pageInfo { hasNextPage hasPreviousPage } } }`,
      );
      return json.data.list.pageInfo as unknown;
    };
    const posts = 'posts(tags: "walked -later", ';
    expect(await info(posts, ids[6] as number)).toEqual({ hasPreviousPage: true, hasNextPage: true });
    expect(await info(posts, (ids[6] as number) + 1)).toEqual({ hasPreviousPage: false, hasNextPage: true });
    expect(await info(posts, ids[2] as number)).toEqual({ hasPreviousPage: true, hasNextPage: false });
    const [last] = (await test.anonymous.get("/post_versions.json", { limit: 1 })).json as { id: number }[];
    expect(await info("postVersions(", last?.id ?? 0)).toEqual({ hasPreviousPage: true, hasNextPage: true });
    expect(await info("postVersions(", (last?.id ?? 0) + 1)).toEqual({ hasPreviousPage: false, hasNextPage: true });
  });

  it("with a cursor, which takes precedence", async () => {
    const { edges } = await page({ tags: "walked", first: 2 });
    const connection = await page({ tags: "walked -later", first: 2, after: edges[1]?.cursor, page: "3" });
    expect(connection.nodes[0]?.id).toBeLessThan(edges[1]?.node.id ?? 0);
  });
});

describe("refusals", () => {
  const cursor = (text: string): string => Buffer.from(text).toString("base64url");

  it.each(["x", "", cursor("id:x"), cursor("page:1"), cursor("id:-1"), cursor("id:1;"), cursor("id:9999999999999999")])(
    "the cursor %j, unless empty",
    async (after) => {
      const { json } = await ask({ tags: "walked", after });
      const refusal = { code: "INVALID_PARAMETERS", status: 424, reason: "after is invalid" };
      const fault = { field: "after", fields: { after: ["is invalid"] } };
      expect(json.errors?.[0].extensions).toEqual(after === "" ? undefined : { ...refusal, ...fault });
    },
  );

  it("a page over MAX_PAGE, by number and by cursor alike", async () => {
    const byNumber = await ask({ tags: "walked", page: "11" });
    const byCursor = await ask({ tags: "walked order:score", first: 5, after: cursor("offset:51") });
    const ofTooMany = await ask({ tags: "walked order:score", first: 6, after: cursor("offset:51") });
    for (const { status, json } of [byNumber, byCursor, ofTooMany]) {
      expect([status, json.data, json.errors[0].extensions]).toEqual([
        200,
        null,
        {
          code: "INVALID_PARAMETERS",
          status: 424,
          reason: "page must be at most 10; use page=b<id> to go further back",
          field: "page",
          fields: { page: ["must be at most 10; use page=b<id> to go further back"] },
        },
      ]);
    }
    expect(
      (await ask({ tags: "walked order:score", first: 5, after: cursor("offset:50") })).json.errors,
    ).toBeUndefined();
  });

  it("a page beyond any id is not refused: it is empty, or everything", async () => {
    expect((await page({ tags: "walked", first: 1, after: cursor("id:999999999999") })).nodes).toHaveLength(1);
    expect((await page({ tags: "walked", page: "a999999999999" })).nodes).toEqual([]);
  });
});

describe("totalCount", () => {
  it("is the number of all matching records, whatever the page", async () => {
    expect((await page({ tags: "walked -later", first: 1, page: "3" })).totalCount).toBe(7);
    expect((await page({ tags: "walked -later", first: 2, page: `b${ids[2]}` })).totalCount).toBe(7);
  });
});

describe("other lists", () => {
  it.each(["tags", "users", "postVersions"])("%s are connections as well", async (list) => {
    const document = `query($after: String) { ${list}(first: 1, after: $after) {
      edges { cursor node { id } } pageInfo { hasNextPage endCursor } totalCount } }`;
    const first = (await test.anonymous.graphql(document)).json.data[list] as Connection;
    const second = (await test.anonymous.graphql(document, { after: first.pageInfo.endCursor })).json.data[
      list
    ] as Connection;
    expect(second.edges[0]?.node.id).toBeLessThan(first.edges[0]?.node.id ?? 0);
    expect(first.totalCount).toBe(await countOf(list));
  });

  const countOf = (list: string): Promise<number> => {
    const { database } = test.board;
    if (list === "users") return database.user.count();
    return list === "tags" ? database.tag.count({ where: { postCount: { gt: 0 } } }) : database.postVersion.count();
  };
});
