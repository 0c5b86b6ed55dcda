/** The quick way of rows that are asked all the time: byte for byte what their documents answer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compile, rootValue } from "../../rest/adapter/execute.js";
import { projector } from "../../rest/adapter/project.js";
import type { Json, ResourceRow } from "../../rest/adapter/row.js";
import { restSchema } from "../../rest/adapter/schema.js";
import { table } from "../../rest/table.js";

import { ANONYMOUS, type Viewer } from "../../src/runtime/auth/viewer.js";
import { READS } from "../../src/resources/permissions.js";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { contextOf } from "../support/context.js";
import type { TestUser } from "../support/factory.js";

const schema = restSchema(sharedSchema());
const rows = table
  .filter((row) => row.direct !== undefined)
  .map((row): [string, ResourceRow] => [`${row.method} ${row.path}`, row]);

let test: TestBoard;
let viewers: Viewer[];
let ids: number[];
beforeAll(async () => {
  test = await startBoard();
  const users: [TestUser, Viewer["level"]][] = [
    [await test.make.user(), 20],
    [await test.make.user("Gold"), 30],
    [await test.make.user("Moderator"), 40],
  ];
  viewers = [
    ANONYMOUS,
    ...users.map(([{ id, name }, level]): Viewer => ({ id, name, level, isBanned: false, proof: "basic" })),
  ];
  const parent = await test.make.post("sea artist:mira ship_(vessel)");
  const child = await test.make.post("sea char:anna copy:fleet meta:scan", {
    parent_id: parent.id,
    source: 'a "book" <1> & é',
  });
  const banned = await test.make.post("sea banned");
  const deleted = await test.make.post("sea", { parent_id: banned.id });
  const wide = await test.make.post("sea");
  const { prisma } = test.board;
  await prisma.post.update({ where: { id: banned.id }, data: { isBanned: true, approverId: users[2]?.[0].id } });
  await prisma.post.update({
    where: { id: deleted.id },
    data: { isDeleted: true, lastNotedAt: new Date(0), pixivId: 77 },
  });
  await prisma.post.update({
    where: { id: wide.id },
    data: { isPending: true, isRatingLocked: true, tagIds: [], tagCount: 0, tagCountGeneral: 0, tagCountMeta: 0 },
  });
  await prisma.mediaFile.update({
    where: { id: (await prisma.post.findUniqueOrThrow({ where: { id: wide.id } })).mediaFileId },
    data: { hasSample: true, duration: 12.5 },
  });
  const pools = [{ category: "series" }, { category: "collection" }, { category: "series", isDeleted: true }];
  for (const [index, pool] of pools.entries()) {
    await prisma.pool.create({
      data: {
        ...pool,
        name: `pool_${index}`,
        creatorId: users[0]?.[0].id ?? 0,
        postIds: [parent.id, child.id],
        postCount: 2,
      },
    });
  }
  ids = [parent.id, child.id, banned.id, deleted.id, wide.id];
});
afterAll(() => test[Symbol.asyncDispose]());

const fail = (error: unknown): never => {
  throw error;
};

/** Every post by itself, a search, one that finds nothing, pages of all forms. */
const variables = (): Json[] => [
  ...ids.map((id) => ({ id, tags: `id:${id}` })),
  { id: 2_000_000_000, tags: "nothing_like_it" },
  { id: ids[0], tags: "sea -banned", limit: 2, page: "2" },
  { id: ids[0], page: `a${ids[0]}`, limit: 3 },
  { id: ids[0], page: `b${ids[2]}` },
  { id: ids[0], md5: "0".repeat(32) },
  { id: ids[0], tags: "sea", raw: true },
];

describe.each(rows)("%s", (_, row) => {
  it("may be asked by everybody", () => {
    const field = row.path === "/posts" ? "posts" : "post";
    expect(READS[field]?.gate).toBe("public");
  });

  it("answers the same quickly as by its document", async () => {
    const run = compile(schema, row.document);
    const project = projector(row.document);
    for (const viewer of viewers) {
      for (const each of variables()) {
        const slow = rootValue(await run(contextOf(test, viewer), each), fail);
        const quick = await (await row.direct?.(contextOf(test, viewer), each))?.value();
        expect(JSON.stringify(quick && project(quick))).toBe(JSON.stringify(slow));
      }
    }
  });
});

it("there are rows with a quick way", () =>
  expect(rows.map(([name]) => name)).toEqual(["GET /posts", "GET /posts/:id"]));
