/** How an operation's errors become a REST response, compiled and interpreted. */
import { GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, parse } from "graphql";
import { describe, expect, it } from "vitest";
import type { GraphQLContext } from "../../graphql/context.js";
import { compile, interpreted, rootValue } from "../../rest/adapter/execute.js";
import { failure } from "../../src/errors.js";

const refuse = (): never => {
  throw failure("overloaded");
};
const Payload = new GraphQLObjectType({
  name: "Payload",
  fields: {
    id: { type: GraphQLInt, resolve: () => 7 },
    needed: { type: new GraphQLNonNull(GraphQLInt), resolve: refuse },
    optional: { type: GraphQLInt, resolve: refuse },
  },
});
const schema = new GraphQLSchema({
  query: Payload,
  mutation: new GraphQLObjectType({
    name: "Mutation",
    fields: { write: { type: Payload, resolve: () => ({}) }, refused: { type: Payload, resolve: refuse } },
  }),
});

describe.each([
  ["compiled", compile],
  ["interpreted", interpreted],
])("%s", (_, prepare) => {
  const valueOf = async (text: string) => {
    const left: unknown[] = [];
    const result = await prepare(schema, parse(text))({} as GraphQLContext, {});
    return { value: rootValue(result, ({ path }) => left.push(path)), left };
  };

  it("an error that leaves nothing of the root field fails the request", async () => {
    const refusal = expect.objectContaining({ key: "overloaded", status: 503 }) as unknown;
    await expect(valueOf("mutation { refused { id } }")).rejects.toEqual(refusal);
    await expect(valueOf("mutation { write { id needed } }")).rejects.toEqual(refusal);
  });

  it("an error further down leaves null", async () => {
    const { value, left } = await valueOf("mutation { write { id optional } }");
    expect([value, left]).toEqual([{ id: 7, optional: null }, [["write", "optional"]]]);
  });
});
