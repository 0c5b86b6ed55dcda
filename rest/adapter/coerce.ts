/**
 * Parameters -> variables of a document, by the types that the document and the schema declare. Unknown parameters are
 * ignored, blank ones are absent in a search and null in a body, and what can't be read as its type is a 424 that names it.
 */
import {
  type GraphQLInputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from "graphql";
import { Upload } from "graphql-upload-minimal";
import { MAX_VALUES } from "../../graphql/shared/admission.js";
import { failure } from "../../src/errors.js";
import { toSnake } from "../../src/lib/case.js";
import { isNesting, own, type Params } from "./params.js";
import type { Spelling } from "./schema.js";
import { hasSearch, namesOf } from "./search-keys.js";
import { MAX_INT } from "../../src/lib/integers.js";
import { categoryOfPrefix } from "../../src/tagging/categories.js";
import { normalizeRating, RATINGS } from "../../src/tagging/rating.js";

/** How a value is coerced: its name for error messages, and whether it is part of a search. */
interface Place {
  name: string;
  search: boolean;
  /** separator of a list that is one text */
  separator?: RegExp | undefined;
}

/** The sources of a request's variables. */
export interface Source {
  /** query and body, merged */
  params: Params;
  /** ids in the path; nothing in query or body overrides them */
  path: Params;
  /** bracket name of the resource's attributes (`post`); they may also be outside the brackets */
  scope: string;
  /** whether errors name missing attributes in brackets although the caller sent none, in brackets or outside */
  isBracketed?: boolean;
  /** keys of the search that may also be outside of `search[...]` */
  bare?: readonly string[] | undefined;
}

/** @throws BoardError 424 */
export function coerceVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  source: Source,
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  const params = placed(operation, source);
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type) as GraphQLInputType;
    const raw = Object.hasOwn(source.path, name) ? source.path[name] : clamped(name, own(params, name));
    const value = name === "input" ? coerceInput(type, source) : coerce(type, raw, { name, search: name === "search" });
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}

/**
 * Moves parameters to where the document has them: bare keys of a search into it; for a document without a search, those in
 * `search[...]` out of it.
 */
function placed(operation: OperationDefinitionNode, { params, bare = [] }: Source): Params {
  const search = own(params, "search");
  if (!hasSearch(operation)) return isNesting(search) ? { ...search, ...filled(params) } : params;
  const outside = Object.entries(params).filter(([name]) => bare.includes(name));
  if (outside.length === 0) return params;
  return { ...params, search: { ...Object.fromEntries(outside), ...filled(isNesting(search) ? search : {}) } };
}

const filled = (params: Params): Params =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => !isBlank(value)));

/** A limit over the maximum is clamped, never refused, even one that no Int can hold. */
const clamped = (name: string, raw: unknown): unknown =>
  name === "limit" && (typeof raw === "string" || typeof raw === "number") && /^\s*\d+\s*$/.test(String(raw))
    ? Math.min(Number(raw), MAX_INT)
    : raw;

function coerceInput(type: GraphQLInputType, { params, path, scope, isBracketed = false }: Source): unknown {
  const scoped = own(params, scope);
  const inBrackets = isNesting(scoped);
  const attributes = { ...params, ...(inBrackets ? scoped : {}), ...path };
  const brackets = inBrackets || (isBracketed && !hasAny(type, params));
  return coerceFields(type, attributes, (field) => ({ name: brackets ? `${scope}[${field}]` : field, search: false }));
}

/** Whether one of the fields is among the parameters. */
function hasAny(type: GraphQLInputType, params: Params): boolean {
  const object = isNonNullType(type) ? type.ofType : type;
  const fields = isInputObjectType(object) ? Object.values(object.getFields()) : [];
  return fields.some((field) => namesOf(field).some((name) => own(params, name) !== undefined));
}

function coerceFields(type: GraphQLInputType, params: Params, place: (field: string) => Place): unknown {
  const object = isNonNullType(type) ? type.ofType : type;
  if (!isInputObjectType(object)) return undefined;
  const result: Record<string, unknown> = {};
  for (const field of Object.values(object.getFields())) {
    const name = toSnake(field.name);
    const isSent = (raw: unknown) => raw !== undefined && !(place(name).search && isBlank(raw));
    const sentAs = namesOf(field).find((each) => isSent(own(params, each))) ?? name;
    const { separator } = field.extensions as Spelling;
    const value = coerce(field.type, own(params, sentAs), { ...place(sentAs), separator });
    if (value !== undefined) result[field.name] = value;
  }
  return result;
}

function coerce(type: GraphQLInputType, raw: unknown, place: Place): unknown {
  if (isNonNullType(type)) {
    const isAbsent = raw === undefined || raw === null || (isBlank(raw) && !isText(type.ofType));
    // the error names what it lacks
    if (isAbsent && isInputObjectType(type.ofType)) return coerceNesting(type.ofType, {}, place);
    const value = isAbsent ? undefined : coerce(type.ofType, raw, place);
    if (value === undefined || value === null) throw failure("missing_parameter", { parameter: place.name });
    return value;
  }
  if (raw === undefined) return undefined;
  if (raw === null) return place.search ? undefined : null;
  if (isBlank(raw)) return blankValue(type, place);
  if (isListType(type)) return coerceList(type.ofType, raw, place);
  if (isInputObjectType(type)) return coerceNesting(type, raw, place);
  return coerceScalar(type as GraphQLScalarType, raw, place);
}

const isBlank = (raw: unknown): boolean => typeof raw === "string" && raw.trim() === "";
const isText = (type: GraphQLInputType): boolean => "name" in type && type.name === "String";

/** Blank: absent in a search; in a body an empty text, or no value for what isn't text. */
function blankValue(type: GraphQLInputType, place: Place): unknown {
  if (place.search) return undefined;
  return isText(type) ? "" : null;
}

function coerceNesting(type: GraphQLInputType, raw: unknown, place: Place): unknown {
  if (!isNesting(raw)) throw failure("invalid_parameter", { parameter: place.name });
  return coerceFields(type, raw, (field) => ({ name: `${place.name}[${field}]`, search: place.search }));
}

/**
 * Lists are arrays or comma lists, numbers also with blanks between them; a field may say what else separates its items. In a search what can't be read as a number is
 * left out, so that garbage matches nothing; elsewhere it is refused.
 */
function coerceList(type: GraphQLInputType, raw: unknown, place: Place): unknown[] {
  const inner = isNonNullType(type) ? type.ofType : type;
  const between = place.separator ?? (isNumeric(inner) ? /[\s,]+/u : ",");
  const items: unknown[] = Array.isArray(raw) ? raw : String(rejectNesting(raw, place)).split(between, MAX_VALUES + 1);
  if (items.length > MAX_VALUES) throw failure("too_many_values", { parameter: place.name, limit: MAX_VALUES });
  if (place.search && isNumeric(inner)) return items.flatMap((item) => readNumber(item) ?? []);
  return items.flatMap((item) => coerce(inner, typeof item === "string" ? item.trim() : item, place) ?? []);
}

/** A number or a text of one; null for everything else. */
const readNumber = (item: unknown): number | null =>
  typeof item === "string" || typeof item === "number" ? readInteger(String(item).trim()) : null;

const isNumeric = (type: GraphQLInputType): boolean => "name" in type && type.name === "Int";

function rejectNesting(raw: unknown, place: Place): unknown {
  if (typeof raw === "object") throw failure("invalid_parameter", { parameter: place.name });
  return raw;
}

function coerceScalar(type: GraphQLScalarType, raw: unknown, place: Place): unknown {
  if (type.name === "File") return raw instanceof Upload ? raw : undefined;
  const text = String(rejectNesting(raw, place));
  const value = readScalar(type, text);
  if (value !== null) return value;
  if (type.name === "Int" && INTEGER.test(text.trim()))
    throw failure("number_outside_range", { parameter: place.name, least: -MAX_INT, most: MAX_INT });
  const words = (type.extensions as Spelling).words;
  if (!words) throw failure("invalid_parameter", { parameter: place.name });
  throw failure("invalid_choice", { parameter: place.name, choices: (CHOICES[type.name] ?? words).join(", ") });
}

function readScalar(type: GraphQLScalarType, text: string): unknown {
  const words = (type.extensions as Spelling).words;
  if (words) return readWord(type.name, words, text.trim().toLowerCase());
  if (type.name === "Int") return readInteger(text.trim());
  if (type.name === "Float") return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text.trim()) ? Number(text) : null;
  return type.name === "Boolean" ? (BOOLEANS.get(text.trim().toLowerCase()) ?? null) : text;
}

const INTEGER = /^[-+]?\d+$/;

function readInteger(text: string): number | null {
  if (!INTEGER.test(text)) return null;
  const number = Number(text);
  return Math.abs(number) <= MAX_INT ? number : null;
}

function readWord(name: string, words: unknown[], word: string): unknown {
  const special = WORDS[name]?.(word);
  if (special !== null && special !== undefined) return special;
  return words.find((each) => String(each).toLowerCase() === word) ?? null;
}

const VOTES = new Map([
  ["1", "up"],
  ["-1", "down"],
]);

/** `score_desc` and the like are the same as `score`. */
const DESCENDING = new Map(["id", "post_id", "score", "updated_at"].map((word) => [`${word}_desc`, word]));

const PAGE_ORDERS = new Map([
  ["time", "date"],
  ["updated_at", "date"],
  ["name", "title"],
]);

/** The meaning of a word that clients send, in addition to those in responses, by enum; null if it is not one of its values. */
const WORDS: Record<string, (word: string) => unknown> = {
  CommentOrder: (word) => DESCENDING.get(word),
  PoolOrder: (word) => (word === "updated_at" ? "date" : null),
  Rating: normalizeRating,
  /** by name as well as by number; the longer and shorter names are those of tag prefixes */
  TagCategory: categoryOfPrefix,
  VoteScore: (word) => VOTES.get(word),
  WikiPageOrder: (word) => PAGE_ORDERS.get(word),
};

/** The words that an error suggests, where they are others than those of responses. */
const CHOICES: Record<string, readonly string[]> = { Rating: Object.values(RATINGS) };

const BOOLEANS = new Map([
  ...["true", "t", "yes", "y", "on", "1"].map((word) => [word, true] as const),
  ...["false", "f", "no", "n", "off", "0"].map((word) => [word, false] as const),
]);
