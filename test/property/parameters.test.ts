/** Any query of a read gets records or the envelope, quickly, and never a 500. */
import fc from "fast-check";
import { getNamedType, isInputObjectType, typeFromAST } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toSnake } from "../../src/lib/case.js";
import { operationOf } from "../../rest/adapter/execute.js";
import type { ResourceRow } from "../../rest/adapter/row.js";
import { table } from "../../rest/table.js";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import { timedWithin } from "../support/timing.js";

/** Divided among the rows; on an idle machine they take some five seconds together. */
const RUNS_IN_ALL = 1_000;
const LONGEST_ANSWER = 2_000;
const ALLOWED = new Set([200, 403, 404, 424]);

const reads = table.filter(({ method }) => method === "GET");

let test: TestBoard;
let client: Client;
beforeAll(async () => {
  test = await startBoard();
  const post = await test.make.post("one artist:two three_four");
  await test.make.post("one", { parent_id: post.id, source: "https://example.org/%?a=*_\\" });
  ({ client } = await test.make.user());
  await client.put(`/posts/${post.id}.json`, { post: { tag_string: "one five" } });
});
afterAll(() => test[Symbol.asyncDispose]());

/** The parameters that the row knows, in brackets. */
function namesOf({ document }: ResourceRow): string[] {
  const schema = sharedSchema();
  return (operationOf(document).variableDefinitions ?? []).flatMap((definition) => {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    const named = type && getNamedType(type);
    if (!isInputObjectType(named)) return [name];
    return [name, ...Object.keys(named.getFields()).map((field) => `${name}[${toSnake(field)}]`)];
  });
}

const NUMBERS = [
  "0",
  "1",
  "-1",
  "2147483647",
  "2147483648",
  "9".repeat(40),
  "1e9",
  "0x1",
  "1.5",
  "NaN",
  "1,2,x",
  ",",
  "b1",
  "a0",
];
const TEXTS = [
  "",
  " ",
  "*",
  "%",
  "_",
  "\\",
  "'",
  '"',
  "\0",
  "a\0b",
  "\ud800",
  "\u{1f431}",
  "*".repeat(300),
  "()",
  "~",
  "-",
  ":",
];
const SEARCHES = [
  "one two",
  "-one",
  "one or two",
  "(one",
  "id:1..",
  "rating:s",
  "order:random",
  "user:x",
  "score:>",
  "~one ~two",
  "md5:*",
];
const WORDS = ["true", "no", "name", "date", "any", "none", "null", "{}", "[]", "' OR 1=1 --", "${x}", "__proto__"];

const value = fc.oneof(
  fc.constantFrom(...NUMBERS, ...TEXTS, ...SEARCHES, ...WORDS),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.integer().map(String),
);
const SUFFIXES = ["", "", "", "", "[]", "[0]", "[x]", "[__proto__]", "[id]", "[][]", "[", "]"];
const OTHERS = [
  "only",
  "raw",
  "page",
  "limit",
  "search[order]",
  "search[sort]",
  "search[x][y]",
  "group_by",
  "_method",
  "x",
  "__proto__[x]",
];

const encode = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

const queryFor = (row: ResourceRow) => {
  const name = fc.oneof(fc.constantFrom(...namesOf(row), ...OTHERS), fc.string({ maxLength: 12 }));
  const pair = fc
    .tuple(name, fc.constantFrom(...SUFFIXES), value)
    .map(([key, suffix, text]) => `${encode(key)}${suffix}=${encode(text)}`);
  const pairs = fc.array(pair, { minLength: 1, maxLength: 6 }).map((list) => list.join("&"));
  const mess = fc.string({ maxLength: 60 }).map((text) => text.replace(/[#\s]/g, "+"));
  return fc.oneof({ weight: 9, arbitrary: pairs }, { weight: 1, arbitrary: mess });
};

const isEnvelope = ({ json }: Answer): boolean =>
  json.success === false && typeof json.reason === "string" && json.reason === json.message;

const isGood = (answer: Answer, format: string): boolean => {
  if (format === "xml") return answer.status === 200 ? answer.xml !== undefined : answer.xml?.name === "response";
  return answer.status === 200 ? typeof answer.json === "object" && answer.json !== null : isEnvelope(answer);
};

describe("any query of a read", () => {
  it.each(reads.map((row): [string, ResourceRow] => [row.path, row]))("GET %s", async (path, row) => {
    const ids = fc.constantFrom("1", "2", "0", "2147483647", "99999999999");
    const law = fc.asyncProperty(
      queryFor(row),
      ids,
      fc.constantFrom("json", "json", "xml"),
      async (query, id, format) => {
        const url = `${path.replace(/:\w*id/, id)}.${format}?${query}`;
        const { answer, milliseconds } = await timedWithin(LONGEST_ANSWER, () => client.send(url));
        const seen = { url, status: answer.status, text: answer.text.slice(0, 200), milliseconds };
        if (!ALLOWED.has(answer.status) || !isGood(answer, format)) throw new Error(JSON.stringify(seen));
        expect(milliseconds).toBeLessThan(LONGEST_ANSWER);
      },
    );
    await fc.assert(law, { numRuns: Math.ceil(RUNS_IN_ALL / reads.length) });
  });
});
