/**
 * A megabyte of text for any argument of any query gets a short refusal, or a response within a second of database time,
 * and never a 500.
 */
import { getNamedType, type GraphQLArgument, isInputObjectType, isNonNullType } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard, UNCOUNTED } from "../support/board.js";

const queries = Object.values(sharedSchema().getQueryType()?.getFields() ?? {});

/** The arguments that take a text, and the values that put it there. */
function placesOf(argument: GraphQLArgument): [place: string, value: (text: string) => unknown][] {
  const type = getNamedType(argument.type);
  if (isInputObjectType(type)) {
    return Object.values(type.getFields())
      .filter((field) => ["String", "ID"].includes(getNamedType(field.type).name))
      .map((field) => [`${argument.name}.${field.name}`, (text) => ({ [field.name]: text })]);
  }
  return ["String", "ID"].includes(type.name) ? [[argument.name, (text) => text]] : [];
}

const places = queries.flatMap(({ name, args }) =>
  args.flatMap((argument) => placesOf(argument).map(([place, value]) => ({ name, place, argument, value }))),
);

/** Texts of a megabyte: words, a pattern, groups. */
const TEXTS = ["ab ", "a*", "("].map((part) =>
  part.repeat(Math.floor(1_000_000 / Buffer.byteLength(JSON.stringify(part).slice(1, -1)))),
);

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard({ ...UNCOUNTED, STATEMENT_TIMEOUT_MEMBER_MS: "1000" });
  await test.make.post("sea ship");
});
afterAll(() => test[Symbol.asyncDispose]());

describe("a megabyte of text", () => {
  it.each(places)("is accepted or refused within a second as $place of $name", async ({ name, argument, value }) => {
    const others = queries
      .find((query) => query.name === name)
      ?.args.filter((each) => each !== argument && isNonNullType(each.type) && each.defaultValue === undefined);
    const given = (others ?? []).map((each) => `, ${each.name}: "sea"`).join("");
    const query = `query($value: ${String(argument.type)}) { ${name}(${argument.name}: $value${given}) { __typename } }`;
    for (const text of TEXTS) {
      const { status, json, text: answer } = await test.anonymous.graphql(query, { value: value(text) });
      const codes = ((json.errors ?? []) as { extensions: { code: string } }[]).map(
        ({ extensions }) => extensions.code,
      );
      const faults = codes.filter((code) => ["INTERNAL", "UNAVAILABLE"].includes(code));
      expect({ status: [200, 400].includes(status), faults, isShort: answer.length < 3_000 }).toEqual({
        status: true,
        faults: [],
        isShort: true,
      });
    }
  });
});
