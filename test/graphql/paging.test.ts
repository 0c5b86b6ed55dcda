/**
 * Cursors of every connection of the schema, while records are being added. In an order of its own a connection's cursor is
 * a position: records added before it shift the others down, which are then returned twice, but none is missed.
 */
import { getNullableType, isInputObjectType } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { addTo, connections, makeRecords, OWN_ORDER, type Records } from "../support/listings.js";
import { makeStage, type Stage } from "../support/stage.js";

const FIRST = 4;
const RECORDS = 13;

type Field = (typeof connections)[number];

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

const of = ({ name }: Field): Records => {
  const found = records[name];
  if (!found) throw new Error(`no way is known to add records to ${name}`);
  return found;
};
const add = (field: Field): Promise<number> => addTo(stage, of(field));

interface Page {
  nodes: { id: number }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount: number;
}

async function ask(field: Field, args: Params): Promise<Page> {
  const head = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(", ");
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(", ");
  const document = `query(${head}) {
    list: ${field.name}(${passed}) { nodes { id } pageInfo { hasNextPage endCursor } totalCount } }`;
  const { json, text } = await admin.client.graphql(document, { ...of(field).params, ...args });
  if (json.errors) throw new Error(text);
  return json.data.list as Page;
}

const idsOf = ({ nodes }: Page): number[] => nodes.map(({ id }) => id);
const everything = async (field: Field): Promise<number[]> => idsOf(await ask(field, { first: 100 }));
const descending = (ids: number[]): number[] => [...ids].sort((a, b) => b - a);

/** From cursor to cursor; something happens after each page but the last. */
async function walk(field: Field, between: () => Promise<unknown>): Promise<number[]> {
  const seen = [];
  for (let after: string | null = null; ;) {
    const page: Page = await ask(field, { first: FIRST, after });
    seen.push(...idsOf(page));
    if (!page.pageInfo.hasNextPage) return seen;
    after = page.pageInfo.endCursor;
    await between();
  }
}

const title = ({ name }: Field): string => `${name} (${OWN_ORDER[name] ?? "newest first"})`;

describe.each(connections.map((field) => [title(field), field] as const))("%s", (_title, field) => {
  beforeAll(async () => {
    for (let count = 0; count < RECORDS; count += 1) await add(field);
  });

  it("by a search whose texts are empty: every record", async () => {
    const search = getNullableType(field.args.find(({ name }) => name === "search")?.type);
    const attributes = isInputObjectType(search) ? Object.values(search.getFields()) : [];
    const texts = attributes.filter(({ type }) => String(getNullableType(type)) === "String");
    const empty = { ...Object.fromEntries(texts.map(({ name }) => [name, ""])), ...Object(of(field).params?.search) };
    expect(idsOf(await ask(field, { first: 100, search: empty }))).toEqual(await everything(field));
  });

  it("by cursor, while nothing is added: every record once", async () => {
    const there = await everything(field);
    expect(await walk(field, async () => undefined)).toEqual(there);
    expect((await ask(field, { first: 1 })).totalCount).toBe(there.length);
  });

  it(`from cursor to cursor, while records are added: ${
    OWN_ORDER[field.name] ? "nothing is missed" : "those that were there, each once"
  }`, async () => {
    const there = await everything(field);
    let additions = 0;
    const seen = await walk(field, async () => {
      // added further up for ever, a page would never be the last
      if ((additions += 1) < FIRST) await add(field);
    });
    const firstSeen = [...new Set(seen)].filter((id) => there.includes(id));
    expect(OWN_ORDER[field.name] ? firstSeen : seen).toEqual(there);
  });

  it("by `page: b<id>`, while records are added: each existing record once, newest first", async () => {
    const there = await everything(field);
    const seen = [];
    for (let page = "b2147483648"; ;) {
      const found = await ask(field, { first: FIRST, page });
      seen.push(...idsOf(found));
      if (!found.pageInfo.hasNextPage) break;
      page = `b${seen.at(-1)}`;
      await add(field);
    }
    expect(seen).toEqual(descending(there));
  });
});
