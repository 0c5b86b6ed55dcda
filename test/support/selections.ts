/** Selections generated from the schema that lead to every restricted field. */
import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isObjectType,
} from "graphql";
import { toSnake } from "../../src/lib/case.js";
import { FIELDS } from "../../src/resources/permissions.js";

type Field = GraphQLField<unknown, unknown>;

/** Of each list. */
const FIRST = 2;

/** The table of a type's records. */
export const tableOf = (type: string): string =>
  `${toSnake(type).replace(/^_/, "")}s`.replace(/ss$/, "ses").replace(/ys$/, "ies");

/** Arguments of a field, for the record of this number; lists are short. */
export function argumentsOf({ args }: Field, id: number | null = null): string {
  const texts = args.flatMap(({ name }) => {
    if (name === "id" && id !== null) return [`id: ${id}`];
    if (name === "first") return [`first: ${FIRST}`];
    return ["query", "text", "tagString"].includes(name) ? [`${name}: "sea"`] : [];
  });
  return texts.length > 0 ? `(${texts.join(", ")})` : "";
}

/** Connections, counters and the like are parts of the way, not steps. */
const isRecord = (type: GraphQLObjectType): boolean => "id" in type.getFields();

/**
 * The restricted fields of the type's records and of related ones; otherwise the type's name.
 * @param hops from the records of the type to those that have the guarded field
 */
export function guardedSelection(type: GraphQLOutputType, hops: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return "";
  return guarded(named, hops + (isRecord(named) ? 0 : 1)) ?? "{ __typename }";
}

function guarded(type: GraphQLObjectType, hops: number): string | null {
  const parts = Object.values(type.getFields()).flatMap((field) => guardedField(type, field, hops) ?? []);
  if (parts.length === 0 && !FIELDS[type.name]) return null;
  return `{ __typename ${isRecord(type) ? "id " : ""}${parts.join(" ")} }`;
}

function guardedField(type: GraphQLObjectType, field: Field, hops: number): string | null {
  const isGuarded = FIELDS[`${type.name}.${field.name}`] !== undefined;
  const named = getNamedType(field.type);
  if (isLeafType(named)) return isGuarded ? field.name : null;
  if (!isObjectType(named) || field.name === "edges") return null;
  const left = isRecord(named) ? hops - 1 : hops;
  const selection = isGuarded ? `{ ${leavesOf(named)} }` : left >= 0 ? guarded(named, left) : null;
  return selection && `${field.name}${argumentsOf(field)} ${selection}`;
}

const leavesOf = (type: GraphQLObjectType): string =>
  Object.values(type.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)))
    .map(({ name }) => name)
    .join(" ");
