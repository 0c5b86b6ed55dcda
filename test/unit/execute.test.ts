/** How an operation's errors become a REST response, compiled and interpreted. */
import { GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, parse } from "graphql";
import { describe, expect, it } from "vitest";
import type { GraphQLContext } from "../../graphql/context.js";
import { compile, interpreted, rootValue } from "../../rest/adapter/execute.js";
import { failure } from "../../src/errors.js";

const refuse = (): never => {
  throw failure("overloaded");
};
const fail = (): never => {
  throw new Error("no");
};
const Payload = new GraphQLObjectType({
  name: "Payload",
  fields: {
    id: { type: GraphQLInt, resolve: () => 7 },
    needed: { type: new GraphQLNonNull(GraphQLInt), resolve: refuse },
    optional: { type: GraphQLInt, resolve: refuse },
    faulty: { type: GraphQLInt, resolve: fail },
  },
});
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: "Query", fields: { read: { type: Payload, resolve: () => ({}) } } }),
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
    return { value: rootValue(result, text.startsWith("{"), ({ path }) => left.push(path)), left };
  };

  it("an error that leaves nothing of the root field fails the request", async () => {
    const refusal = expect.objectContaining({ key: "overloaded", status: 503 }) as unknown;
    await expect(valueOf("mutation { refused { id } }")).rejects.toEqual(refusal);
    await expect(valueOf("mutation { write { id needed } }")).rejects.toEqual(refusal);
  });

  it("an error further down leaves null", async () => {
    const { value, left } = await valueOf("mutation { write { id optional } }");
    expect([value, left]).toEqual([{ id: 7, optional: null }, [["write", "optional"]]]);
    const read = await valueOf("{ read { id faulty } }");
    expect([read.value, read.left]).toEqual([{ id: 7, faulty: null }, [["read", "faulty"]]]);
  });

  it("a field of a read that fails as the database is unavailable fails the request, which can be repeated", async () => {
    await expect(valueOf("{ read { id optional } }")).rejects.toMatchObject({ key: "overloaded", status: 503 });
  });
});
