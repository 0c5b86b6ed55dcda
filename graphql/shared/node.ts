/**
 * Relay's `Node`: every record that can be queried by its id also has a `nodeId`, unique over all types, and
 * `node(nodeId:)` finds it. What that shows is decided by the query of the type itself (`note(id:)`), which it calls.
 */
import { MapperKind, mapSchema } from "@graphql-tools/utils";
import {
  defaultFieldResolver,
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLInterfaceType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
} from "graphql";
import { failure } from "../../src/errors.js";
import type { GraphQLContext } from "../context.js";
import { lowerFirst } from "../../src/lib/case.js";
import { MAX_INT } from "../../src/lib/integers.js";

const fields: Record<string, GraphQLFieldConfig<{ id: number }, GraphQLContext>> = {
  nodeId: {
    type: new GraphQLNonNull(GraphQLID),
    description: "Globally unique ID, which `node` accepts.",
    resolve: (record, _args, _context, info) => encode(info.parentType.name, record.id),
  },
};

const Node = new GraphQLInterfaceType({
  name: "Node",
  description: "A record with a globally unique ID.",
  fields: { nodeId: { type: new GraphQLNonNull(GraphQLID), description: fields.nodeId?.description ?? null } },
  resolveType: (value: { __typename: string }) => value.__typename,
});

const encode = (type: string, id: number): string => Buffer.from(`${type}:${id}`).toString("base64url");

/** @throws BoardError 424 for an invalid node id */
function decode(schema: GraphQLSchema, nodeId: string): { type: string; id: number } {
  const [, type = "", digits = ""] = /^(\w+):(\d{1,10})$/.exec(Buffer.from(nodeId, "base64url").toString()) ?? [];
  const id = Number(digits);
  if (!isNodeType(schema, type) || id > MAX_INT) throw failure("invalid_parameter", { parameter: "nodeId" });
  return { type, id };
}

/** A type with a query of its own name for a record by id. */
function isNodeType(schema: GraphQLSchema, type: string): boolean {
  const query = schema.getQueryType()?.getFields()[lowerFirst(type)];
  return query !== undefined && getNamedType(query.type).name === type && query.args.some((arg) => arg.name === "id");
}

/** The schema with `Node`, `nodeId` and `node`. */
export const withNodes = (schema: GraphQLSchema): GraphQLSchema =>
  mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => {
      if (!isNodeType(schema, type.name)) return type;
      const config = type.toConfig();
      return new GraphQLObjectType({
        ...config,
        fields: { ...config.fields, ...fields },
        interfaces: [...config.interfaces, Node],
      });
    },
    [MapperKind.QUERY]: (type) => {
      const config = type.toConfig();
      return new GraphQLObjectType({ ...config, fields: { ...config.fields, node: nodeField(schema) } });
    },
  });

const nodeField = (schema: GraphQLSchema): GraphQLFieldConfig<unknown, GraphQLContext> => ({
  type: Node,
  description: "The record with this ID, of any type.",
  args: { nodeId: { type: new GraphQLNonNull(GraphQLID), description: "Globally unique ID of the record." } },
  extensions: { access: "public" },
  resolve: async (source, { nodeId }: { nodeId: string }, context, info) => {
    const { type, id } = decode(schema, nodeId);
    const query = schema.getQueryType()?.getFields()[lowerFirst(type)];
    const record = (await (query?.resolve ?? defaultFieldResolver)(source, { id }, context, info)) as object | null;
    return record && { ...record, __typename: type };
  },
});
