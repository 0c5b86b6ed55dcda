/** Any JSON sent to a write, or to a read with a method override, gets a status of the specification, never a 500. */
import fc from "fast-check";
import { getNamedType, isInputObjectType, typeFromAST } from "graphql";
import { afterAll, beforeAll, describe, it } from "vitest";
import { toSnake } from "../../src/lib/case.js";
import { operationOf } from "../../rest/adapter/execute.js";
import type { ResourceRow } from "../../rest/adapter/row.js";
import { table } from "../../rest/table.js";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";

/** Divided among the rows; on an idle machine they take some five seconds together. */
const RUNS_IN_ALL = 1_000;
const ALLOWED = [200, 403, 404, 420, 421, 422, 423, 424];

let test: TestBoard;
let client: Client;
beforeAll(async () => {
  test = await startBoard({ SOURCE_TIMEOUT_MS: "10" });
  const admin = await test.make.user("Admin");
  ({ client } = admin);
  await test.make.post("one two", {}, admin);
  await test.make.post("one", { parent_id: 1 });
});
afterAll(() => test[Symbol.asyncDispose]());

/** Names of the row's variables, and of the fields of the objects among them. */
function namesOf({ document }: ResourceRow): string[] {
  return (operationOf(document).variableDefinitions ?? []).flatMap((definition) => {
    const type = typeFromAST(sharedSchema(), definition.type);
    const named = type && getNamedType(type);
    const fields = isInputObjectType(named) ? Object.keys(named.getFields()).map(toSnake) : [];
    return [definition.variable.name.value, ...fields];
  });
}

const TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "x".repeat(3000),
  "\u{1f431}",
  "1",
  "-1",
  "up",
  "s",
  "one two",
  "'",
  "*",
  "\u202e",
  "é\u0301",
];
const plain = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS, null, true, false, 0, 1, 2, -1, 1.5, 1e300, 2 ** 31, -0),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }),
);

function bodyFor(row: ResourceRow) {
  const name = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...namesOf(row), "only", "x") },
    { weight: 1, arbitrary: fc.string() },
  );
  const attributes = fc.dictionary(name, plain, { maxKeys: 8 });
  const search = attributes.map((keys) => ({ search: keys }));
  const scoped = attributes.map((keys) => ({ [row.resource]: keys }));
  return fc.oneof(attributes, search, scoped, fc.jsonValue({ maxDepth: 3 }));
}

describe("any JSON body", () => {
  it.each(table.map((row): [string, ResourceRow] => [`${row.method} ${row.path}`, row]))("%s", async (_name, row) => {
    const law = fc.asyncProperty(bodyFor(row), fc.constantFrom("1", "2", "99999999999"), async (body, id) => {
      const override = { "x-http-method-override": row.method };
      const sender = row.method === "POST" ? client : client.with(override);
      const { status, json } = await sender.json("POST", `${row.path.replace(/:\w*id/, id)}.json`, body);
      const isEnvelope = json.success === false && typeof json.reason === "string" && json.reason === json.message;
      const isGood = ALLOWED.includes(status) && (status === 200 || isEnvelope);
      if (!isGood) throw new Error(`${status} ${JSON.stringify(json)} for ${JSON.stringify(body)}`);
    });
    await fc.assert(law, { numRuns: Math.ceil(RUNS_IN_ALL / table.length) });
  });
});
