/** Parameters of a request -> variables of a document. */
import { buildSchema, parse } from "graphql";
import { Upload } from "graphql-upload-minimal";
import { describe, expect, it } from "vitest";
import { coerceVariables } from "../../rest/adapter/coerce.js";
import { operationOf } from "../../rest/adapter/execute.js";
import { parseBrackets, type Params } from "../../rest/adapter/params.js";
import { restSchema } from "../../rest/adapter/schema.js";
import { BoardError } from "../../src/errors.js";

const SCHEMA = restSchema(
  buildSchema(`
    scalar File
    enum Colour { RED DARK_BLUE }
    input ThingSearch {
      id: [Int!] name: String colours: [Colour!] order: Colour isOld: Boolean size: Float owner: OwnerSearch
    }
    input OwnerSearch { name: String level: Int }
    input ThingInput {
      id: Int! thingId: Int title: String! notes: String names: [String!] level: Int isOld: Boolean file: File
      ids: [Int!]
    }
    type Query { things(search: ThingSearch, first: Int, page: String, flag: Boolean): Int thing(id: Int!): Int }
    type Mutation { updateThing(input: ThingInput!): Int }
  `),
);
const INDEX = parse(`query ($search: ThingSearch, $limit: Int, $page: String, $flag: Boolean) {
  things(search: $search, first: $limit, page: $page, flag: $flag)
}`);
const SHOW = parse("query ($id: Int!) { thing(id: $id) }");
const UPDATE = parse("mutation ($input: ThingInput!) { updateThing(input: $input) }");

const coerce = (document: typeof INDEX, params: Params, path: Params = {}): Record<string, unknown> =>
  coerceVariables(SCHEMA, operationOf(document), { params, path, scope: "thing" });
const index = (query: string) => coerce(INDEX, parseBrackets(query));
const search = (query: string) => (index(query).search ?? {}) as Record<string, unknown>;
const update = (query: string) => coerce(UPDATE, parseBrackets(query), { id: "7" }).input;

function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof BoardError ? `${error.status} ${error.reason}` : error;
  }
}

describe("a search", () => {
  it("coerces each snake_case key to its type", () => {
    expect(search("search[name]= a b &search[size]=-1.5&search[is_old]=T&search[owner][level]=20")).toEqual({
      name: " a b ",
      size: -1.5,
      isOld: true,
      owner: { level: 20 },
    });
  });

  it.each(["true", "t", "yes", "y", "on", "1", "TRUE", " Yes "])("%j is true", (word) => {
    expect(index(`flag=${word}`)).toEqual({ flag: true });
  });

  it.each(["false", "f", "no", "n", "off", "0", "False"])("%j is false", (word) => {
    expect(index(`flag=${word}`)).toEqual({ flag: false });
  });

  it("accepts lists with commas, with brackets, and as one value; invalid numbers are left out", () => {
    expect(search("search[id]=1, 2,3")).toEqual({ id: [1, 2, 3] });
    expect(search("search[id][]=1&search[id][]=2")).toEqual({ id: [1, 2] });
    expect(search("search[id]=x,4,5.5,,99999999999,1e3")).toEqual({ id: [4] });
    expect(search("search[id]=garbage")).toEqual({ id: [] });
    expect(coerce(INDEX, { search: { id: [1, "2"] } })).toEqual({ search: { id: [1, 2] } });
    expect(coerce(INDEX, { search: { id: 5 } })).toEqual({ search: { id: [5] } });
  });

  it("accepts enum values in any case", () => {
    expect(search("search[colours]=red,DARK_BLUE")).toEqual({ colours: ["RED", "DARK_BLUE"] });
    expect(refusal(() => search("search[colours]=red,green"))).toBe(
      "424 search[colours] must be one of RED, DARK_BLUE",
    );
  });

  it("`sort` is `order`, which wins unless it is blank", () => {
    expect(search("search[sort]=red")).toEqual({ order: "RED" });
    expect(search("search[sort]=red&search[order]=dark_blue")).toEqual({ order: "DARK_BLUE" });
    expect(search("search[sort]=red&search[order]=")).toEqual({ order: "RED" });
  });

  it("blank is absent, unknown is ignored", () => {
    expect(index("search[name]=&search[id]=%20&search[is_old]=&search[other]=1&other[x]=y&page=&limit=")).toEqual({
      search: {},
      page: "",
      limit: null,
    });
    expect(index("search=")).toEqual({});
    expect(index("first=3&after=x")).toEqual({});
  });

  it.each([
    ["search=word", "search is invalid"],
    ["search[]=word", "search is invalid"],
    ["search[name][x]=1", "search[name] is invalid"],
    ["search[name][]=1", "search[name] is invalid"],
    ["search[id][x]=1", "search[id] is invalid"],
    ["search[owner]=x", "search[owner] is invalid"],
    ["search[owner][level]=x", "search[owner][level] is invalid"],
    ["search[size]=1e3", "search[size] is invalid"],
    ["search[is_old]=maybe", "search[is_old] is invalid"],
    ["limit=1.5", "limit is invalid"],
    ["limit=-99999999999", "limit must be between -2147483647 and 2147483647"],
    ["limit[]=1", "limit is invalid"],
    ["page[x]=1", "page is invalid"],
  ])("424 for %s", (query, reason) => {
    expect(refusal(() => index(query))).toBe(`424 ${reason}`);
  });

  it("a limit of any size is clamped, not refused", () => {
    expect(index(`limit=${"9".repeat(400)}`)).toEqual({ limit: 2_147_483_647 });
    expect(coerce(INDEX, { limit: 3_000_000_000 })).toEqual({ limit: 2_147_483_647 });
    expect(index("limit=0000000002")).toEqual({ limit: 2 });
  });

  it("names of Object.prototype's properties are unknown keys", () => {
    expect(index("search[__proto__][name]=x&search[constructor]=y&__proto__[limit]=3&toString=z")).toEqual({
      search: {},
    });
  });
});

describe("an input", () => {
  it("accepts attributes inside or outside the resource's brackets; inside wins", () => {
    expect(update("thing[title]=x&level=3")).toEqual({ id: 7, title: "x", level: 3 });
    expect(update("title=x&thing_id=2")).toEqual({ id: 7, title: "x", thingId: 2 });
    expect(update("thing[title]=inner&title=outer")).toEqual({ id: 7, title: "inner" });
  });

  it("nothing overrides the id in the path", () => {
    expect(update("id=8&thing[id]=9&thing[title]=x")).toEqual({ id: 7, title: "x" });
  });

  it("blank text is empty, blank anything else is null, absent is absent", () => {
    expect(update("thing[title]=&thing[notes]=&thing[level]=&thing[is_old]=&thing[names]=")).toEqual({
      id: 7,
      title: "",
      notes: "",
      level: null,
      isOld: null,
      names: null,
    });
  });

  it("null is null in a JSON body, absent in a search, and missing if a value is required", () => {
    const thing = { title: "x", level: null, notes: null, names: null };
    expect(coerce(UPDATE, { thing }, { id: "1" }).input).toEqual({ id: 1, ...thing });
    expect(coerce(INDEX, { search: { name: null, id: null }, limit: null })).toEqual({ search: {}, limit: null });
    expect(refusal(() => coerce(UPDATE, { thing: { title: null } }, { id: "1" }))).toBe("424 thing[title] is required");
  });

  it("accepts JSON values: numbers, booleans, arrays", () => {
    const thing = { title: 12, level: 3, isOld: "ignored", is_old: true, names: ["a", 2] };
    expect(coerce(UPDATE, { thing }, { id: "1" }).input).toEqual({
      id: 1,
      title: "12",
      level: 3,
      isOld: true,
      names: ["a", "2"],
    });
  });

  it("accepts lists of numbers separated by spaces or commas, and arrays; 424 for others", () => {
    for (const list of ["3 1 2", "3,1,2", " 3, 1\n2 ,"]) {
      expect(coerce(UPDATE, { thing: { title: "x", ids: list } }, { id: "1" }).input).toMatchObject({ ids: [3, 1, 2] });
    }
    expect(update("thing[title]=x&thing[ids][]=3&thing[ids][]=1")).toMatchObject({ ids: [3, 1] });
    expect(update("thing[title]=x&thing[ids][]=")).toMatchObject({ ids: [] });
    expect(coerce(UPDATE, { thing: { title: "x", ids: [3, "1"] } }, { id: "1" }).input).toMatchObject({ ids: [3, 1] });
    for (const list of ["1 x", "1,2.5"]) {
      expect(refusal(() => update(`thing[title]=x&thing[ids]=${list}`))).toBe("424 thing[ids] is invalid");
    }
    expect(refusal(() => update("thing[title]=x&thing[ids]=1,99999999999"))).toBe(
      "424 thing[ids] must be between -2147483647 and 2147483647",
    );
  });

  it("a file must be a part of a multipart body; a text or JSON object in its place is not a file", () => {
    const file = new Upload();
    expect(coerce(UPDATE, { thing: { title: "x", file } }, { id: "1" }).input).toEqual({ id: 1, title: "x", file });
    for (const other of ["text", {}, [], { promise: { received: { path: "/etc/passwd" } } }, 1, true]) {
      const input = coerce(UPDATE, { thing: { title: "x", file: other } }, { id: "1" }).input;
      expect(input).toEqual({ id: 1, title: "x" });
    }
  });

  it("424 names the missing parameter as callers write it", () => {
    expect(refusal(() => update("thing[level]=1"))).toBe("424 thing[title] is required");
    expect(refusal(() => update("level=1"))).toBe("424 title is required");
    expect(refusal(() => coerce(SHOW, {}))).toBe("424 id is required");
    expect(refusal(() => coerce(UPDATE, { thing: { title: { a: 1 } } }, { id: "1" }))).toBe(
      "424 thing[title] is invalid",
    );
    expect(refusal(() => update("thing[title]=x&thing[level]=abc"))).toBe("424 thing[level] is invalid");
  });
});
