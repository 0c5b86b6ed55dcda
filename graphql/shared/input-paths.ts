/**
 * The paths of invalid inputs. Services name fields as REST does (`post`, `tag_string`, `upload[rating]`);
 * GraphQL uses their paths in the arguments (`input.postId`, `input.tagString`, `input.rating`).
 */
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLError,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
} from "graphql";
import { toCamel } from "../../src/lib/case.js";

type Input = GraphQLArgument | GraphQLInputField;
type Fields = Record<string, string[]>;

/**
 * The path of a field in the arguments of a query or mutation: the input of its name, or of its name with `Id`; brackets are
 * inputs within inputs or the name of the resource. Anything else is about the record that the input identifies.
 */
export function inputPath({ args }: Pick<GraphQLField<unknown, unknown>, "args">, name: string): string {
  const names = (name.match(/[^[\]]+/g) ?? []).map(toCamel);
  const found = find(args, names) ?? find(args, names.slice(1));
  if (found !== null) return found;
  const input = args.find((arg) => arg.name === "input");
  return input ? (find([input], ["id"]) ?? "input") : name;
}

/** @returns null if there is no such input */
function find(inputs: readonly Input[], [name, ...within]: readonly string[]): string | null {
  if (name === undefined) return null;
  const own = inputs.find((each) => each.name === name) ?? inputs.find((each) => each.name === `${name}Id`);
  if (own && within.length === 0) return own.name;
  const places = own ? [{ of: own, names: within }] : inputs.map((of) => ({ of, names: [name, ...within] }));
  for (const { of, names } of places) {
    const deeper = find(inputsOf(of), names);
    if (deeper !== null) return `${of.name}.${deeper}`;
  }
  return null;
}

function inputsOf({ type }: Input): Input[] {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
}

/** The fields of an error by their paths. @param error of a root field; others keep their names */
export function byInputPath(schema: GraphQLSchema, error: unknown, fields: Fields): Fields {
  const root = rootFieldOf(schema, error);
  if (!root) return fields;
  const byPath: Fields = {};
  for (const [name, messages] of Object.entries(fields)) (byPath[inputPath(root, name)] ??= []).push(...messages);
  return byPath;
}

function rootFieldOf(schema: GraphQLSchema, error: unknown): GraphQLField<unknown, unknown> | undefined {
  const { path, nodes } = error as Partial<GraphQLError>;
  const node = nodes?.[0];
  if (path?.length !== 1 || node?.kind !== Kind.FIELD) return undefined;
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots.map((type) => type?.getFields()[node.name.value]).find((field) => field !== undefined);
}
