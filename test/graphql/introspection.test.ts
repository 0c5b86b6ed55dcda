/** Introspection: the same responses as graphql-js, cached or not. */
import { execute, getIntrospectionQuery, parse, validateSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { processorTime } from "../support/timing.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const expected = (query: string, variableValues = {}, operationName?: string) => {
  const result = execute({ schema: sharedSchema(), document: parse(query), variableValues, operationName });
  return JSON.parse(JSON.stringify((result as { data: unknown }).data)) as unknown;
};

const WHOLE = getIntrospectionQuery();
const TYPE =
  "query A($name: String!) { __type(name: $name) { name kind } __typename } query B { __schema { queryType { name } } }";

describe("introspection", () => {
  it("is of a valid schema", () => {
    expect(validateSchema(sharedSchema())).toEqual([]);
  });

  it("returns the whole schema and its cost each time", async () => {
    const answers = [await test.anonymous.graphql(WHOLE), await test.anonymous.graphql(WHOLE)];
    for (const { status, json } of answers) {
      expect([status, json.data]).toEqual([200, expected(WHOLE)]);
      expect(json.extensions).toEqual({ cost: { requested: 2000, limit: 5000, requests: 4 } });
    }
  });

  it("is cached: the same text again takes a fraction of the time", async () => {
    const least = async (query: (turn: number) => string) => {
      const times: number[] = [];
      for (let turn = 0; turn < 8; turn += 1)
        times.push(await processorTime(() => test.anonymous.graphql(query(turn))));
      return Math.min(...times);
    };
    const again = await least(() => WHOLE);
    expect(again).toBeLessThan((await least((turn) => `${WHOLE} # ${turn}`)) / 2);
  });

  it("is cached by variables and operation", async () => {
    const ask = (operationName: string, variables: object) =>
      test.anonymous.json("POST", "/graphql", { query: TYPE, operationName, variables });
    for (const name of ["Post", "Tag", "Nothing", "Post"])
      expect((await ask("A", { name })).json.data).toEqual(expected(TYPE, { name }, "A"));
    expect((await ask("B", {})).json.data).toEqual(expected(TYPE, {}, "B"));
  });

  it("together with other fields is answered with them", async () => {
    const { json } = await test.anonymous.graphql('{ __type(name: "Post") { name } posts { totalCount } }');
    expect(json.data).toEqual({ __type: { name: "Post" }, posts: { totalCount: 0 } });
  });

  it("that is refused is not cached", async () => {
    const query = "query($name: String!) { __type(name: $name) { kind } }";
    expect((await test.anonymous.graphql(query, { name: 1 })).json.data).toBeUndefined();
    expect((await test.anonymous.graphql(query, { name: "Post" })).json.data).toEqual({ __type: { kind: "OBJECT" } });
  });
});
