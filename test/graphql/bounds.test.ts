/** Every list of the schema is limited by `first`, and costs as much as it may return. */
import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  type GraphQLSchema,
} from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard, UNCOUNTED } from "../support/board.js";

type Field = GraphQLField<unknown, unknown>;
interface ListField {
  name: string;
  field: Field;
}

/** Lists that are short by what they are. */
const SHORT: Record<string, string> = {
  "Board.fileTypes": "the types that the board knows",
  "UpdatePostsPayload.posts": "the posts of one edit: 100",
  "UpdatePostsPayload.refusals": "the posts of one edit: 100",
  "Post.hiddenBy": "the lines of a blacklist that are heeded: 100",
  "PostConnection.hints": "at most 5",
  "MediaFile.variants": "an original, a sample and a preview",
  "Artist.otherNames": "at most 50 of 80 characters",
  "ArtistVersion.otherNames": "at most 50 of 80 characters",
  "Tag.words": "170 characters together",
  "WikiPage.otherNames": "at most 80 of 100 characters",
  "WikiPageVersion.otherNames": "at most 80 of 100 characters",
};

const schema: GraphQLSchema = sharedSchema();

const fields: ListField[] = Object.values(schema.getTypeMap())
  .filter((type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith("__"))
  .flatMap((type) =>
    Object.values((type as { getFields(): Record<string, Field> }).getFields()).map((field) => ({
      name: `${type.name}.${field.name}`,
      field,
    })),
  );

const isBounded = ({ args }: Field): boolean => args.some(({ name }) => name === "first");
const isList = ({ type }: Field): boolean => isListType(getNullableType(type));
const complexityOf = ({ extensions }: Field) => extensions.complexity as ((given: object) => number) | undefined;

/** Types of pages: what gives one has `first`, which holds for the list within. */
const pages = new Set(
  fields.filter(({ field }) => isBounded(field) && !isList(field)).map(({ field }) => getNamedType(field.type).name),
);
const isPart = (name: string): boolean => {
  const [type = "", field = ""] = name.split(".");
  return pages.has(type) && ["nodes", "edges"].includes(field);
};

const lists = fields.filter(({ name, field }) => isList(field) && !isPart(name) && !(name in SHORT));
/** What a page has once, although its price is multiplied by the page's length: `pages.test.ts` looks at it. */
const ONCE_A_PAGE = "PostConnection.tags";
const priced = fields.filter(({ name, field }) => isBounded(field) && name !== ONCE_A_PAGE);

describe("the schema", () => {
  it("returns connections only from fields with `first`", () => {
    const given = fields.filter(({ field }) => pages.has(getNamedType(field.type).name));
    expect(given.filter(({ field }) => !isBounded(field)).map(({ name }) => name)).toEqual([]);
  });

  it("lists only existing short lists", () => {
    const names = new Set(fields.filter(({ field }) => isList(field)).map(({ name }) => name));
    expect(Object.keys(SHORT).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(lists)("limits $name by `first`", ({ field }) => {
    expect(isBounded(field)).toBe(true);
  });

  it.each(priced)("charges $name for what it may return", ({ field }) => {
    const cost = (first: number | null | undefined, childComplexity: number): number =>
      complexityOf(field)?.({ args: { first }, childComplexity }) ?? NaN;
    const isOfRecords = isCompositeType(getNamedType(field.type));
    const usual = cost(undefined, 7);
    expect(usual).toBe(cost(null, 7));
    expect(cost(-5, 7)).toBe(cost(1, 7));
    // a number or name costs at least a twentieth of a point, a record itself and what is asked of it
    const [few, many] = isOfRecords ? [cost(1, 7), cost(10, 7)] : [cost(10, 0), cost(100, 0)];
    expect(many - few).toBeGreaterThanOrEqual(isOfRecords ? 9 * 8 : Math.floor(90 / 20));
    expect(cost(10, 0) - cost(1, 0)).toBeGreaterThanOrEqual(isOfRecords ? 9 : 0);
    expect(cost(2_000_000_000, 1)).toBe(cost(100_000, 1));
  });
});

describe("a list within a record", () => {
  let test: TestBoard;
  let id: number;
  beforeAll(async () => {
    test = await startBoard(UNCOUNTED);
    const names = Array.from({ length: 130 }, (_, index) => `a_${String(index).padStart(3, "0")}`);
    ({ id } = await test.make.post(names.toReversed().join(" ")));
    const flag = { postId: id, creatorId: null, isDeletion: true };
    const reasons = Array.from({ length: 130 }, (_, index) => `reason ${index + 1}`);
    await test.board.database.postFlag.createMany({ data: reasons.map((reason) => ({ ...flag, reason })) });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const ask = async (selection: string): Promise<Record<string, { name: string; reason: string }[]>> => {
    const { json } = await test.anonymous.graphql(`{ post(id: ${id}) { ${selection} } }`);
    return (json as { data: { post: Record<string, { name: string; reason: string }[]> } }).data.post;
  };

  it("returns as many tags as requested, the first by name: at most 1,250, by default 100", async () => {
    const { few, usual, all } = await ask(
      "few: tags(first: 2) { name } usual: tags { name } all: tags(first: 9999) { name }",
    );
    expect([few, usual?.length, all?.length]).toEqual([[{ name: "a_000" }, { name: "a_001" }], 100, 131]);
    expect(all?.map(({ name }) => name)).toEqual(all?.map(({ name }) => name).toSorted());
  });

  it("returns as many flags as requested, newest first: at most 100, by default 20", async () => {
    const { few, usual, all } = await ask(
      "few: flags(first: 2) { reason } usual: flags { reason } all: flags(first: 9999) { reason }",
    );
    expect(few).toEqual([{ reason: "reason 130" }, { reason: "reason 129" }]);
    expect([usual?.length, all?.length]).toEqual([20, 100]);
  });
});
