/**
 * The checks before an operation runs, over any transport: its variables fit their types,
 * and its cost is within the limit. The characters, tokens and depth of documents are limited before.
 */
import {
  type DocumentNode,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { Upload } from "graphql-upload-minimal";
import type { BoardError } from "../../src/errors.js";
import { failure } from "../../src/errors.js";
import { costOf, costVariables, type Operation, requestsOf } from "./complexity.js";
import { MAX_MESSAGE } from "./errors.js";
import { getOrMake } from "../../src/lib/get-or-make.js";
import { MOST_LEVELS } from "../../src/lib/json.js";

/** Maximum number of tokens in a document; rules that compare fields with one another take 50 ms for the worst of them. */
export const MAX_TOKENS = 2_000;

/** Maximum number of characters in a document: comments and whitespace are not tokens. */
export const MAX_DOCUMENT_LENGTH = 100_000;

/** Documents of at least this many characters are heavy work to parse and validate. */
export const HEAVY_DOCUMENT_LENGTH = 2_000;

/** Whether a document is heavy work: it is long, or asks for the schema. */
export const isHeavyDocument = (text: string): boolean =>
  text.length > HEAVY_DOCUMENT_LENGTH || /\b__(?:schema|type)\b/.test(text);

/** Maximum number of numbers, texts, lists and objects in the variables of a request; twice the longest accepted list. */
export const MAX_VALUES = 20_000;

/** Refuses a document that is too long before it is parsed. Those of a URL or a socket are shorter. @throws BoardError 424 */
export function boundDocument(body: unknown): void {
  const { query } = (body ?? {}) as { query?: unknown };
  if (typeof query === "string" && query.length > MAX_DOCUMENT_LENGTH)
    throw failure("query_too_costly", { quality: `long (more than ${MAX_DOCUMENT_LENGTH} characters)` });
}

/** An operation of a valid document, as sent. */
export interface SentOperation {
  document: DocumentNode;
  operationName: string | null | undefined;
  variables: Readonly<Record<string, unknown>> | null | undefined;
}

export interface Admitted {
  /** coerced by their types, defaults filled in */
  variables: Record<string, unknown>;
  /** in points */
  cost: number;
  /** the number of requests it counts as */
  requests: number;
}

/**
 * @param limit points that an operation may cost
 * @throws BoardError 424 for variables that are too many or don't fit, and for an operation that costs too much
 */
export function admit(schema: GraphQLSchema, limit: number, sent: SentOperation): Admitted {
  const { document, operationName = null } = sent;
  const operation = getOperationAST(document, operationName);
  if (!operation) return { variables: {}, cost: 0, requests: 1 }; // running it reports that there is none
  const variables = coerced(schema, operation.variableDefinitions ?? [], sent.variables ?? {});
  const { cost, requests } = inWordsOfTheTable(() => knownPrice({ schema, document, operation, variables }));
  if (cost > limit) throw failure("query_too_costly", { quality: `costly (${cost} of ${limit})` });
  return { variables, cost, requests };
}

/** The cost of an operation, and the number of requests it counts as. */
type Price = Pick<Admitted, "cost" | "requests">;

/** Computed prices of an operation, by the variables on which they depend. */
interface KnownPrices {
  /** variables that determine the amount of data */
  names: readonly string[];
  prices: Map<string, Price>;
}

const knownPrices = new WeakMap<OperationDefinitionNode, KnownPrices>();
/** Of one operation: a list may be of any length. */
const MOST_PRICES = 100;
/** Characters; numbers and booleans are short. */
const LONGEST_KEY = 200;

/** @throws GraphQLError as `costOf` */
function knownPrice(asked: Operation): Price {
  const { document, operation, variables } = asked;
  const known = getOrMake(knownPrices, operation, () => ({ names: costVariables(document), prices: new Map() }));
  const key = JSON.stringify(known.names.map((name) => (Object.hasOwn(variables, name) ? [variables[name]] : [])));
  const found = known.prices.get(key);
  if (found) return found;
  const cost = costOf(asked);
  const price = { cost, requests: requestsOf(document, operation.name?.value ?? null, cost) };
  if (known.prices.size >= MOST_PRICES) known.prices.clear();
  if (key.length <= LONGEST_KEY) known.prices.set(key, price);
  return price;
}

type Definitions = Parameters<typeof getVariableValues>[1];

/**
 * The variables by their types. Only the first error is reported, since each quotes the whole value.
 * @throws BoardError 424
 */
function coerced(
  schema: GraphQLSchema,
  definitions: Definitions,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const hasLongText = boundValues(values);
  // graphql-js compares a text letter by letter with each name for its suggestions
  const result = getVariableValues(schema, definitions, values, { maxErrors: 1, hideSuggestions: hasLongText });
  if (!result.errors) return result.coerced;
  throw invalid(result.errors[0]);
}

/** Characters beyond which a text is not a misspelled name. */
const LONG_TEXT = 1_000;

/** The values in a JSON value, one level deeper. */
const valuesIn = (value: unknown): unknown[] =>
  typeof value !== "object" || value === null || value instanceof Upload ? [] : Object.values(value);

/**
 * Checks the number and the levels of variables, which were parsed without a limit if they were in a URL.
 * @returns whether one is a long text
 * @throws BoardError 424
 */
function boundValues(variables: Readonly<Record<string, unknown>>): boolean {
  let [count, levels, hasLongText] = [0, 0, false];
  for (let level: unknown[] = [variables]; level.length > 0; level = level.flatMap(valuesIn)) {
    count += level.length;
    levels += 1;
    if (count > MAX_VALUES + 1) throw failure("too_many_values", { parameter: "variables", limit: MAX_VALUES });
    if (levels > MOST_LEVELS + 1) throw failure("query_too_costly", { quality: TOO_DEEP });
    hasLongText ||= level.some((each) => typeof each === "string" && each.length > LONG_TEXT);
  }
  return hasLongText;
}

/** As in other JSON: what processes it later is recursive. */
const TOO_DEEP = `deep (variables of more than ${MOST_LEVELS} levels)`;

function invalid(error: GraphQLError | undefined): BoardError {
  const message = error?.message.slice(0, MAX_MESSAGE) ?? "the variables are invalid";
  return failure("invalid_query", { message }, { cause: error });
}

/** Errors of graphql, which only occur here for a query that its fragments make too large. */
function inWordsOfTheTable<T>(reckon: () => T): T {
  try {
    return reckon();
  } catch (error) {
    throw error instanceof GraphQLError ? invalid(error) : error;
  }
}
