/**
 * Every text and every list of a query, one megabyte long, whatever its content: it is refused with a reason or answered
 * quickly. The arguments are found in the schema, so that new ones are tested as well.
 */
import { readFileSync } from "node:fs";
import {
  buildSchema,
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard, UNCOUNTED } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import { timedWithin } from "../support/timing.js";

const MEGABYTE = 1_000_000;
const SECOND = 1_000;

let test: TestBoard;
let admin: Client;
beforeAll(async () => {
  test = await startBoard(UNCOUNTED);
  await test.make.post("a b c");
  admin = test.anonymous.as(await test.make.user("Admin"));
});
afterAll(() => test[Symbol.asyncDispose]());

const row = (word: string): string => word.repeat(Math.floor((MEGABYTE - 1000) / word.length));
const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ["letters", row("a")],
  ["digits", row("1")],
  ["parentheses", `${"(".repeat(499)}${row("(")}`],
  ["groups and a word", `${"(".repeat(499)}a${row("(").slice(500_000)}${row(")").slice(500_100)}`],
  ["terms", `(${row("a ")}) b`],
  ["wildcards", row("a*")],
  ["patterns", row("a* ")],
  ["names", row("a,")],
  ["words", Array.from({ length: 120_000 }, (_, i) => `w${i}`).join(" ")],
  ["slashes", `http://a.b${row("/")}`],
  ["quotes", row("source:'")],
  ["letters that grow", "\u0130".repeat(400_000)],
];

const nullable = (type: GraphQLInputType): GraphQLInputType => (isNonNullType(type) ? type.ofType : type);
const isText = (type: GraphQLInputType): boolean => String(nullable(type)) === "String";

/** What else has to be given. */
const FILLERS: Record<string, string> = { Int: "1", String: '"a"', Boolean: "true", ID: '"a"' };
const fillers = (args: readonly (GraphQLArgument | GraphQLInputField)[], but: string): string[] =>
  args
    .filter(({ name, type, defaultValue }) => name !== but && isNonNullType(type) && defaultValue === undefined)
    .map(({ name, type }) => {
      const inner = nullable(type);
      return `${name}: ${isListType(inner) ? "[]" : (FILLERS[String(inner)] ?? "{}")}`;
    });

const query = Object.values(
  buildSchema(readFileSync("graphql/schema.graphql", "utf8")).getQueryType()?.getFields() ?? {},
);

/** A query for each text: the argument's name, and the document with the text as its variable. */
const allQuestions: [name: string, document: string][] = query.flatMap((field) => {
  const selection = isCompositeType(getNamedType(field.type)) ? "{ __typename }" : "";
  const ask = (argument: string, value: string) =>
    `query($text: String!) { ${field.name}(${[...fillers(field.args, argument), value].join(", ")}) ${selection} }`;
  return field.args.flatMap(({ name, type }): [string, string][] => {
    if (isText(type)) return [[`${field.name} ${name}`, ask(name, `${name}: $text`)]];
    const input = nullable(type);
    if (!isInputObjectType(input)) return [];
    const fields = Object.values(input.getFields());
    return fields
      .filter((each) => isText(each.type))
      .map((each) => {
        const inside = [...fillers(fields, each.name), `${each.name}: $text`].join(", ");
        return [`${field.name} ${name}.${each.name}`, ask(name, `${name}: { ${inside} }`)];
      });
  });
});

/** Pages and cursors are read by one function for all lists: two lists are enough, of which one goes by the post search. */
const questions = allQuestions.filter(([name]) => !/ (?:page|after)$/.test(name) || /^(?:posts|tags) /.test(name));

interface Refusal {
  code: string;
  reason: string;
}
const refusalsOf = ({ json }: Answer): Refusal[] =>
  ((json.errors ?? []) as { extensions: Refusal }[]).map(({ extensions }) => extensions);
const codesOf = (answer: Answer): string[] => refusalsOf(answer).map(({ code }) => code);
const reasonsOf = (answer: Answer): string[] => refusalsOf(answer).map(({ reason }) => reason);

describe("a megabyte of text", () => {
  it("is tried on every query that takes a text", () => {
    expect(allQuestions.length).toBeGreaterThan(140);
    expect(questions.length).toBeGreaterThan(80);
    expect(questions.map(([name]) => name)).toContain("tags search.nameMatches");
  });

  it.each(questions)("%s: accepted or refused within a second, never a 500", async (_, document) => {
    const first = await admin.graphql(document, { text: row("a") });
    // what is refused for its length is so whatever it consists of
    if (reasonsOf(first).some((reason) => /^a text to search for may have at most \d+ bytes$/.test(reason))) return;
    for (const [name, text] of TEXTS) {
      const { answer, milliseconds } = await timedWithin(SECOND, () => admin.graphql(document, { text }));
      expect.soft(milliseconds, name).toBeLessThan(SECOND);
      expect.soft(answer.status, `${name}: ${answer.text.slice(0, 200)}`).toBe(200);
      for (const code of codesOf(answer)) expect.soft(["INVALID_PARAMETERS", "NOT_FOUND"], name).toContain(code);
    }
  });
});

const get = (path: string, params: unknown): Promise<Answer> =>
  admin.with({ "x-http-method-override": "GET" }).json("POST", path, params);

describe("a list of a megabyte", () => {
  it.each([
    ["of numbers", row("1,")],
    ["of what are no numbers", row("x,")],
    ["of blanks", row("1 ")],
  ])("%s: 424, without parsing its values", async (_, list) => {
    const { answer, milliseconds } = await timedWithin(SECOND, () => get("/tags.json", { search: { id: list } }));
    expect(milliseconds).toBeLessThan(SECOND);
    expect([answer.status, answer.json.reason]).toEqual([424, "search[id] may have at most 20000 values"]);
  });

  it("is read with 20,000 values", async () => {
    const answer = await get("/tags.json", { search: { id: Array.from({ length: 20_000 }, (_, i) => `x${i}`) } });
    expect([answer.status, answer.json]).toEqual([200, []]);
    const many = await get("/tags.json", { search: { id: Array.from({ length: 20_001 }, (_, i) => i) } });
    expect(many.status).toBe(424);
  });
});

describe("search[...]", () => {
  const refusals = [
    ["/tags.json", "name_matches", "a".repeat(4_097), "4096 bytes"],
    ["/tags.json", "name_matches", "*a".repeat(101), "100 asterisks"],
    ["/tags.json", "name", "a,".repeat(16_385), "32768 bytes"],
    ["/comments.json", "body_matches", "ab ".repeat(1_366), "4096 bytes"],
    ["/comments.json", "post_tags_match", "a".repeat(32_769), "32768 bytes"],
    ["/wiki_pages.json", "other_names_match", "a* ".repeat(101), "100 asterisks"],
    ["/artists.json", "url_matches", `http://a.b/${"ä".repeat(2_048)}`, "4096 bytes"],
    ["/pools.json", "name_matches", "a".repeat(4_097), "4096 bytes"],
    ["/autocomplete.json", "query", "a".repeat(4_097), "4096 bytes"],
  ] as const;

  it.each(refusals)("%s?search[%s]: 424 over the limit", async (path, key, text, bound) => {
    const answer = await get(path, { search: { [key]: text } });
    expect([answer.status, answer.json.reason]).toEqual([424, `a text to search for may have at most ${bound}`]);
  });

  it("accepts 100 asterisks and 4,096 bytes", async () => {
    expect((await get("/tags.json", { search: { name_matches: "*a".repeat(100) } })).status).toBe(200);
    expect((await get("/comments.json", { search: { body_matches: "ab ".repeat(1_365) } })).status).toBe(200);
  });
});
