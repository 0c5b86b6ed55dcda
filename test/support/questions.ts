/** Every possible read of a board, generated from the REST table and the schema: reads, searches, counts. */
import {
  getNamedType,
  type GraphQLInputField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import { toSnake } from "../../src/lib/case.js";
import type { ResourceRow } from "../../rest/adapter/row.js";
import { PEOPLE } from "../../src/search/posts/metatags/people.js";
import { sharedSchema } from "../../src/http/server.js";
import { fieldsOf } from "./permission-walk.js";
import { brackets, type Params } from "./client.js";
import { ASKED, fieldOf, isRead, rows } from "./rest-rows.js";

/** Values to search for: words, users and ids of hidden records. */
export interface Hints {
  words: string[];
  names: string[];
  ids: number[];
}

export interface Question {
  /** path and query */
  path: string;
  method?: "GET" | "HEAD";
  /** of GraphQL: document and variables */
  body?: { query: string; variables: Record<string, unknown> };
}

const queries = () => sharedSchema().getQueryType()?.getFields() ?? {};

/** The attributes of the field's `search`. */
function attributesOf(field: string): GraphQLInputField[] {
  const type = queries()[field]?.args.find(({ name }) => name === "search")?.type;
  const named = type && getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
}

const isList = (type: GraphQLInputType): boolean => isListType(isNonNullType(type) ? type.ofType : type);

/** The searched values of an attribute, in GraphQL. */
function valuesOf({ name, type }: GraphQLInputField, hints: Hints): unknown[] {
  const named = getNamedType(type);
  if (isEnumType(named)) {
    const values = named.getValues().map((value) => value.name);
    return isList(type) ? values.map((value) => [value]) : values;
  }
  if (named.name === "Boolean") return [true, false];
  if (named.name === "Int") return isList(type) ? [hints.ids] : [20];
  if (name === "subjectType") return ["ForumTopic", "ForumPost"];
  return /name$/i.test(name) ? [...hints.names, ...hints.words] : hints.words;
}

/** Each value of each attribute, one at a time. */
const searchesOf = (field: string, hints: Hints): Record<string, unknown>[] =>
  attributesOf(field).flatMap((attribute) => valuesOf(attribute, hints).map((value) => ({ [attribute.name]: value })));

/** A search as REST spells it. */
function spelled(search: Record<string, unknown>, field: string): Params {
  const enums = new Set(
    attributesOf(field)
      .filter(({ type }) => isEnumType(getNamedType(type)))
      .map(({ name }) => name),
  );
  const words = Object.entries(search).map(([name, value]): [string, string] => {
    const text = Array.isArray(value) ? value.join(",") : String(value);
    return [toSnake(name), enums.has(name) ? text.toLowerCase() : text];
  });
  return Object.fromEntries(words);
}

const at = (path: string, params: Params = {}): string => {
  const query = new URLSearchParams(brackets(params) as [string, string][]).toString();
  return query === "" ? path : `${path}?${query}`;
};

/** Each read of the table, on the record of this number, in both formats and by HEAD; each list with each search. */
export function restQuestions(hints: Hints, idOf: (row: ResourceRow) => number): Question[] {
  return rows
    .filter((named) => isRead(named) && fieldOf(named[1]) !== "randomPost")
    .flatMap(([name, row, chosen]): Question[] => {
      const field = fieldOf(row);
      const path = row.path.replace(/:\w+/g, () => String(idOf(row)));
      const params = { ...ASKED[name], ...chosen };
      const searches = searchesOf(field, hints).map((search) => ({
        path: at(`${path}.json`, { ...chosen, search: spelled(search, field) }),
      }));
      const plain = at(`${path}.json`, params);
      return [{ path: plain }, { path: at(`${path}.xml`, params) }, { path: plain, method: "HEAD" }, ...searches];
    });
}

/** Each meta-tag that names a person, and what says in which state posts are. */
export const postQuestions = ({ names }: Hints): Question[] =>
  [...PEOPLE.flatMap(({ name }) => names.map((person) => `${name}:${person}`)), "status:flagged", "order:rank"].map(
    (tags) => ({ path: at("/posts.json", { tags }) }),
  );

/** The lists that hold, or are made of, what is hidden; of the others the searches are those of REST. */
const COUNTED = new Set([
  "commentVotes",
  "dmails",
  "favoriteGroups",
  "favoriteGroupVersions",
  "favorites",
  "forumPosts",
  "forumTopics",
  "modActions",
  "postFlags",
  "postVotes",
  "users",
]);

/** How many there are of each search of each list of GraphQL, and whether there is more. */
export function countQuestions(hints: Hints): Question[] {
  const lists = fieldsOf(sharedSchema().getQueryType()).filter(({ args }) =>
    args.some(({ name }) => name === "search"),
  );
  return lists
    .filter(({ args }) => args.some(({ name }) => name === "page"))
    .flatMap(({ name, args }) => {
      const type = String(args.find((argument) => argument.name === "search")?.type);
      const query = `query($search: ${type}) { ${name}(first: 1, search: $search) { totalCount pageInfo { hasNextPage } } }`;
      const searches = COUNTED.has(name) ? [{}, ...searchesOf(name, hints)] : [{}];
      return searches.map((search) => ({ path: "/graphql", body: { query, variables: { search } } }));
    });
}
