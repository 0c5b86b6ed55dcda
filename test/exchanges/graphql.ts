/** GraphQL: every query and its records, refused documents, and the ways to send a document. */
import { createHash } from "node:crypto";
import { getNamedType, type GraphQLField, isLeafType, isObjectType } from "graphql";
import { sharedSchema } from "../../src/http/server.js";
import { fieldsOf } from "../support/permission-walk.js";
import { multipart, multipartInit } from "../support/multipart.js";
import { png } from "../support/pictures.js";
import { argumentsOf, tableOf } from "../support/selections.js";
import type { RecordingClient } from "./recorder.js";
import type { Cast } from "./stage.js";

type Field = GraphQLField<unknown, unknown>;

export async function recordGraphQL(cast: Cast): Promise<void> {
  await recordQueries(cast);
  await recordDocuments(cast);
  await recordTransport(cast);
  await recordFiles(cast);
}

/** Everything that a type has, and of the records that it leads to. */
function selectionOf(field: Field, levels: number): string | null {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return "";
  if (!isObjectType(type)) return "{ __typename }";
  const parts = fieldsOf(type).flatMap((each) => {
    if (each.args.some(({ type: given, defaultValue }) => String(given).endsWith("!") && defaultValue === undefined))
      return [];
    const isLeaf = isLeafType(getNamedType(each.type));
    const within = isLeaf ? "" : levels > 0 ? selectionOf(each, levels - 1) : null;
    return within === null ? [] : [`${each.name}${argumentsOf(each)} ${within}`];
  });
  return parts.length > 0 ? `{ __typename ${parts.join(" ")} }` : null;
}

async function recordQueries({ stage, visitor, member, admin }: Cast): Promise<void> {
  const fields = fieldsOf(sharedSchema().getQueryType());
  const records: Record<string, number> = stage.records;
  for (const field of fields) {
    if (field.name === "node" || field.name === "randomPost") continue;
    const type = getNamedType(field.type).name;
    const id = field.args.some(({ name }) => name === "id") ? (records[tableOf(type)] ?? 1) : null;
    for (const levels of [0, 2]) {
      const document = `query Everything { ${field.name}${argumentsOf(field, id)} ${selectionOf(field, levels) ?? ""} }`;
      for (const client of [visitor, member, admin]) await client.graphql(document);
      await visitor.graphql(document); // by now it was seen before
    }
  }
  for (const type of ["Post", "Tag", "User", "Nothing"]) {
    const nodeId = Buffer.from(`${type}:1`).toString("base64url");
    await visitor.graphql("query($id: ID!) { node(nodeId: $id) { __typename nodeId } }", { id: nodeId });
  }
}

const GALLERY = `query Gallery($tags: String, $page: String) {
  posts(tags: $tags, first: 3, page: $page) { nodes { id rating tagString previewFileUrl ...more } pageInfo { hasNextPage endCursor } totalCount }
}
fragment more on Post { createdAt score uploader { name } tags(first: 2) { name category } viewerCan { vote } }`;

const DOCUMENTS: readonly (readonly [document: string, variables?: Record<string, unknown>])[] = [
  [GALLERY, { tags: "sea" }],
  [GALLERY, { tags: "sea", page: "2" }],
  [GALLERY, { tags: "sea", page: "x" }],
  [GALLERY, {}],
  [GALLERY, { tags: 7 }],
  [GALLERY, { nonsense: 1 }],
  ["{ __typename }"],
  ["{ a: __typename b: __typename }"],
  ["query($on: Boolean!) { posts(first: 1) { nodes { id @include(if: $on) rating @skip(if: $on) } } }", { on: true }],
  ["query($on: Boolean!) { posts(first: 1) { nodes { id @include(if: $on) rating @skip(if: $on) } } }", { on: false }],
  [
    "query($on: Boolean!) { posts(first: 1) { nodes { id } } tags(first: 1) @include(if: $on) { nodes { name } } }",
    { on: false },
  ],
  ["query($id: Int!) { post(id: $id) { id source } }", { id: 1 }],
  ["query($id: Int!) { post(id: $id) { id source } }", { id: 99999 }],
  ["query($id: Int!) { post(id: $id) { id source } }", { id: "1" }],
  ["query($id: Int!) { post(id: $id) { id source } }", { id: 2 ** 40 }],
  ["query($id: Int!) { post(id: $id) { id source } }"],
  ["query($id: Int = 1) { post(id: $id) { id } }"],
  [
    "{ one: post(id: 1) { id ...p } two: post(id: 2) { id ...p } } fragment p on Post { tagString parent { id } children { id } }",
  ],
  ["{ posts(first: 2) { nodes { ... on Post { id } ... { rating } id } edges { cursor node { id } } } }"],
  ["{ posts(first: 1) { nodes { id } nodes { rating } } }"],
  ["query A { __typename } query B { posts(first: 1) { nodes { id } } }"],
  ["{ dmails { nodes { id } } }"],
  ["{ viewer { name settings { perPage } } posts(first: 1) { nodes { id } } }"],
  ["{ post(id: 1) { favoritedBy { name } flags { creator { name } reason } versions { updater { name } } } }"],
  ['{ posts(page: "100000") { nodes { id } } ok: posts(first: 1) { nodes { id } } }'],
  ['{ posts(after: "nonsense") { nodes { id } } }'],
  ["{ posts(first: -1) { nodes { id } } }"],
  ["{ posts(first: 100000) { nodes { id } } }"],
  ["{ tags(search: { category: [GENERAL] }, first: 3) { nodes { name category postCount } totalCount } }"],
  ["{ tags(search: { category: [NOTHING] }) { nodes { name } } }"],
  [
    "mutation { a: createFavorite(input: { postId: 1 }) { post { id favCount } } b: createFavorite(input: { postId: 1 }) { post { id } } }",
  ],
  ["mutation { createFavorite(input: { postId: 99999 }) { post { id } } markAllDmailsAsRead { __typename } }"],
  ["mutation { updatePost(input: { id: 1, rating: NONSENSE }) { post { id } } }"],
  ['mutation { createNote(input: { postId: 1, x: -5, y: 0, width: 1, height: 1, body: "x" }) { note { id } } }'],
  ["subscription { postCreated { id } }"],
  // not valid
  ["{"],
  [""],
  ["{ nothing }"],
  ["{ posts }"],
  ["{ posts { nodes { id { x } } } }"],
  ["query($x: Nothing) { __typename }"],
  ['{ post(id: "x") { id } }'],
  ["{ post { id } }"],
  ["fragment f on Post { id }"],
  ["{ ...f } fragment f on Query { ...f }"],
  ["query($a: Int) { __typename }"],
  ["{ posts(first: 1) { nodes { ...f } } } fragment f on Tag { name }"],
  // too deep, too broad, too costly, too long
  [`{ post(id: 1) ${"{ parent ".repeat(20)}{ id }${" }".repeat(20)} }`],
  [`{ ${Array.from({ length: 60 }, (_, index) => `a${index}: __typename`).join(" ")} }`],
  ["{ posts(first: 100) { nodes { children(first: 100) { children(first: 100) { id } } } } }"],
  [`{ ${"__typename ".repeat(2500)} }`],
  [`{ __typename } #${"x".repeat(100_001)}`],
  ["{ posts(first: 100) { nodes { tagString tags(first: 10) { name } } } }"],
  [
    "query($search: TagSearch) { tags(search: $search) { nodes { id } } }",
    { search: { id: Array.from({ length: 30_000 }, () => 1) } },
  ],
  // introspection
  ["{ __schema { queryType { name } types { name kind } } }"],
  ['{ __type(name: "Post") { name fields { name type { name ofType { name } } } } }'],
];

async function recordDocuments({ visitor, member, admin }: Cast): Promise<void> {
  for (const [document, variables] of DOCUMENTS)
    for (const client of [visitor, member, admin, visitor]) await client.graphql(document, variables);
}

const PREFLIGHT = { "apollo-require-preflight": "true" };
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const persisted = (text: string, version = 1) => ({ persistedQuery: { version, sha256Hash: hashOf(text) } });
const TYPENAME = "{ __typename }";
const at = (params: Record<string, string>): string => `/graphql?${new URLSearchParams(params).toString()}`;

async function recordTransport({ visitor, member, users }: Cast): Promise<void> {
  for (const client of [visitor, member]) {
    await recordGet(client);
    await recordPersisted(client);
    await recordPost(client);
  }
  const { name, apiKey } = users.member;
  await visitor.json("POST", `/graphql?login=${name}&api_key=${encodeURIComponent(apiKey)}`, {
    query: "{ viewer { name } }",
  });
}

async function recordGet(client: RecordingClient): Promise<void> {
  const document = "query A($id: Int = 1) { post(id: $id) { id } } query B { __typename }";
  for (const params of [
    { query: TYPENAME },
    { query: document, operationName: "A", variables: '{"id":2}' },
    { query: document, operationName: "B" },
    { query: document },
    { query: document, operationName: "C" },
    { query: document, operationName: "A", variables: "{" },
    { query: document, operationName: "A", variables: "[]" },
    { query: TYPENAME, extensions: "{" },
    { query: "mutation { markAllDmailsAsRead { __typename } }" },
    { query: "{" },
    { operationName: "A" },
    {},
  ] as Record<string, string>[]) {
    for (const headers of [PREFLIGHT, {}, { "content-type": "application/json" }] as Record<string, string>[])
      await client.send(at(params), { headers });
    await client.send(at(params), { method: "HEAD", headers: PREFLIGHT });
  }
  await client.send(`${at({ query: TYPENAME })}&query=${encodeURIComponent(TYPENAME)}`, { headers: PREFLIGHT });
  await client.send("/graphql?query[a]=1", { headers: PREFLIGHT });
}

async function recordPersisted(client: RecordingClient): Promise<void> {
  const text = `query P { posts(first: 1) { nodes { id } } } # ${client.login?.name ?? ""}`;
  const send = (body: object) => client.json("POST", "/graphql", body);
  await send({ extensions: persisted(text) });
  await send({ query: text, extensions: persisted(text) });
  await send({ extensions: persisted(text) });
  await client.send(at({ extensions: JSON.stringify(persisted(text)) }), { headers: PREFLIGHT });
  await send({ query: text, extensions: persisted("another") });
  await send({ extensions: persisted(text, 2) });
  await send({ extensions: { persistedQuery: "x" } });
  await send({ extensions: { persistedQuery: { version: 1, sha256Hash: 7 } } });
}

async function recordPost(client: RecordingClient): Promise<void> {
  const send = (body: string, headers: Record<string, string>, path = "/graphql") =>
    client.send(path, { method: "POST", body, headers });
  const json = { "content-type": "application/json" };
  const query = JSON.stringify({ query: TYPENAME });
  for (const body of [
    query,
    "{",
    "[]",
    `[${query}]`,
    "null",
    "7",
    '"x"',
    "",
    "[".repeat(100),
    '{"query":7}',
    '{"query":null}',
    '{"query":"{ __typename }","variables":"x"}',
    '{"query":"{ __typename }","variables":[]}',
    '{"query":"{ __typename }","operationName":7}',
    '{"query":"{ __typename }","extensions":"x"}',
    '{"query":""}',
    JSON.stringify({ query: TYPENAME, more: "x".repeat(30_000) }),
  ])
    await send(body, json);
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/graphql",
    "multipart/form-data",
    "",
  ]) {
    await send(query, { "content-type": type });
    await send(query, { "content-type": type, ...PREFLIGHT });
  }
  for (const accept of [
    "application/graphql-response+json",
    "multipart/mixed",
    "text/html",
    "*/*",
    "application/xml",
    "nonsense",
    "application/graphql-response+json, application/json;q=0.5",
  ])
    for (const document of [TYPENAME, "{", "{ dmails { nodes { id } } }"])
      await send(JSON.stringify({ query: document }), { ...json, accept });
  await send(query, { "content-type": "application/json; charset=utf-8" });
  await send(query, { "content-type": "application/json; charset=utf-16" });
  await send(query, { "content-type": "APPLICATION/JSON" });
  for (const encoding of ["gzip", "br", "deflate"]) {
    await send(JSON.stringify({ query: GALLERY }), { ...json, "accept-encoding": encoding });
    await send(JSON.stringify({ query: "{ __schema { types { name } } }" }), { ...json, "accept-encoding": encoding });
  }
  await send(query, json, "/graphql/");
  await send(query, json, "/graphql/x");
  await send(query, json, "/GraphQL");
  await send(query, { ...json, origin: "https://elsewhere.example" });
  await send(query, { ...json, "if-none-match": "*" });
}

const UPLOAD = "mutation($input: CreateUploadInput!) { createUpload(input: $input) { upload { status fileSize } } }";

async function recordFiles({ visitor, member, admin }: Cast): Promise<void> {
  const variables = { input: { tagString: "sent", rating: "SAFE", file: null } };
  const operations = (document: string, given: object = variables) => ({
    name: "operations",
    content: JSON.stringify({ query: document, variables: given }),
  });
  const map = (paths: object = { "0": ["variables.input.file"] }) => ({ name: "map", content: JSON.stringify(paths) });
  const file = async (seed: number, name = "0") => ({
    name,
    content: await png({ width: 30, height: 20, seed }),
    filename: "a.png",
    contentType: "image/png",
  });
  const send = (
    client: RecordingClient,
    parts: Parameters<typeof multipart>[0],
    headers: Record<string, string> = PREFLIGHT,
  ) => {
    const init = multipartInit(multipart(parts));
    return client.send("/graphql", { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } });
  };
  await send(member, [operations(UPLOAD), map(), await file(601)]);
  await send(member, [operations(UPLOAD), map(), await file(601)]); // a duplicate
  await send(admin, [operations(UPLOAD), map(), await file(602)], {});
  await send(visitor, [operations(UPLOAD), map(), await file(603)]);
  await send(member, [operations(UPLOAD), map({ "0": ["variables.input.nothing"] }), await file(604)]);
  await send(member, [operations(UPLOAD), map({ "1": ["variables.input.file"] }), await file(605)]);
  await send(member, [operations(UPLOAD), map()]);
  await send(member, [map(), operations(UPLOAD), await file(606)]);
  await send(member, [await file(607), operations(UPLOAD), map()]);
  await send(member, [operations("{"), map(), await file(608)]);
  await send(member, [operations(TYPENAME, {}), map({})]);
  await send(member, [operations(TYPENAME, { x: null }), map({ "0": ["variables.x"] }), await file(609)]);
  await send(member, [operations(UPLOAD), map(), { ...(await file(610)), content: "no picture" }]);
}
