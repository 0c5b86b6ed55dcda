/** Queries that select the same fields of each post: each post's part is cached as text, and the response is assembled from these. */
import { randomUUID } from "node:crypto";
import { type DocumentNode, type GraphQLSchema, print } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { encoded, hashOf, type Part, type Piece } from "../../src/lib/pieces.js";
import type { GraphQLContext } from "../context.js";
import { type Answered, answeredBy, type Data } from "../shared/answered.js";
import { FinishedData } from "../shared/finished-data.js";
import { type FinishedPost, finishedPosts, type PostRef, STAMP } from "./finished-posts.js";
import { BY_VIEWER, type ByViewer } from "./by-viewer.js";
import { recall, remember, rememberTagIds } from "./remembered.js";
import { type GivenPosts, postsSchema, splitAtPosts, withPlaces, withStamps } from "./split.js";

/** Runs an operation. @returns data that is JSON already, unless it has errors; null if graphql-js has to run it */
export type RunJoined = (context: GraphQLContext, variables: object) => Promise<Answered | null>;

/** A placeholder for the posts in the text of a response, which no client can guess. */
const PLACE = randomUUID();
/** Memory of a text besides its bytes, and of each of its parts. */
const TEXT_BYTES = 300;
const PART_BYTES = 130;

type Stamped = Record<typeof STAMP, PostRef>;
/** The schemas for which an operation is compiled, created once for each schema. */
const schemas = new WeakMap<GraphQLSchema, { leading: GraphQLSchema; asking: GraphQLSchema }>();
function schemasOf(schema: GraphQLSchema) {
  const known = schemas.get(schema) ?? {
    leading: withStamps(schema),
    asking: postsSchema(withPlaces(schema, (name) => `${PLACE} ${name}`)),
  };
  schemas.set(schema, known);
  return known;
}

/**
 * The text of a post up to a field that differs by viewer, the name of that field, the text up to the next one, and so on to the end.
 * The hash of the first piece is that of all of them.
 */
type PostParts = readonly (Piece | ByViewer)[];

interface PlacedPost {
  post: PostRef;
  parts: PostParts;
}

const PLACES = new RegExp(`"${PLACE} (\\w+)"`);

/** The parts of a post's text, which has placeholders. */
function partsOf(text: string): { parts: PostParts; bytes: number } {
  const texts = text.split(PLACES);
  const bytes = encoded(texts.filter((_, index) => index % 2 === 0).join(""));
  let end = 0;
  const parts = texts.map((part, index) => {
    if (index % 2 === 1) return part as ByViewer;
    const start = end;
    end += Buffer.byteLength(part);
    return { bytes: bytes.subarray(start, end), hash: start === 0 ? hashOf(text) : "" };
  });
  return { parts, bytes: TEXT_BYTES + PART_BYTES * parts.length + bytes.length };
}

type ValuesByField = Partial<Record<ByViewer, Map<number, unknown>>>;

/** The values that differ by viewer of the posts whose texts have a place for them. */
async function valuesOf(texts: readonly PlacedPost[], context: GraphQLContext): Promise<ValuesByField> {
  const values: ValuesByField = {};
  for (const name of Object.keys(BY_VIEWER) as ByViewer[]) {
    const posts = texts.filter(({ parts }) => parts.includes(name)).map(({ post }) => post);
    if (posts.length === 0) continue;
    const found = BY_VIEWER[name](posts, context);
    const known = found instanceof Promise ? await found : found;
    values[name] = new Map(posts.map(({ id }, index) => [id, known[index]]));
  }
  return values;
}

/** The texts of posts as the viewer sees them, with commas between them. */
async function filled(texts: readonly PlacedPost[], context: GraphQLContext): Promise<Part[]> {
  const values = await valuesOf(texts, context);
  return texts.flatMap(({ parts, post }, index) => [
    ...(index > 0 ? [","] : []),
    ...parts.map((part) => (typeof part === "string" ? JSON.stringify(values[part]?.get(post.id)) : part)),
  ]);
}

/** Number of kinds of texts so far. */
let kinds = 0;

/** The document's only operation as a function; null if it can't be assembled from texts. */
export function joinPosts(schema: GraphQLSchema, document: DocumentNode): RunJoined | null {
  const split = splitAtPosts(schema, document, true);
  if (!split) return null;
  const { leading, asking } = schemasOf(schema);
  const outer = compileQuery<Data>(leading, split.outer);
  const inner = compileQuery(asking, split.inner);
  if (!isCompiledQuery(outer) || !isCompiledQuery(inner)) return null;
  const kind = `graphql ${(kinds += 1)}`;
  const withTags = print(split.inner).includes("tagString");
  const hasPageTags = print(split.outer).includes("tags");

  /** The parts of each post's text; null for a removed post. @throws errors of their fields */
  const make = async (refs: readonly PostRef[], context: GraphQLContext): Promise<(PlacedPost | null)[]> => {
    const all = await finishedPosts(refs, context, withTags);
    const posts: GivenPosts<FinishedPost> = { posts: all.filter((post) => post !== null) };
    const { data, errors } = await inner.query(posts, context, {});
    if (!data || errors) throw errors?.[0] ?? new TypeError("a post has fields");
    const records = (data as GivenPosts<Data>).posts.values();
    return all.map((post) => {
      if (!post) return null;
      const { parts, bytes } = partsOf(JSON.stringify(records.next().value));
      remember(kind, post, context, parts, bytes);
      if (hasPageTags) rememberTagIds(post, context);
      return { post, parts };
    });
  };
  const textsOf = async (posts: readonly PostRef[], context: GraphQLContext): Promise<Part[]> => {
    const known = posts.map((post) => {
      const parts = recall(kind, post, context) as PostParts | undefined;
      return parts && { post, parts };
    });
    const missing = posts.filter((_, index) => !known[index]);
    if (missing.length === 0) return filled(known as PlacedPost[], context);
    const made = (await make(missing, context)).values();
    const all = known.map((parts) => parts ?? (made.next().value as PlacedPost | null));
    return filled(
      all.filter((parts) => parts !== null),
      context,
    );
  };

  return async (context, variables) => {
    const answered = answeredBy(await outer.query(undefined, context, variables));
    const data = answered?.data as Data | null | undefined;
    const posts = data && valueAt(data, split.path);
    if (posts === null || posts === undefined) return answered;
    if (!data || answered?.errors.length !== 0) return null;
    const asked = ([posts].flat() as Stamped[]).map(({ [STAMP]: post }) => post);
    const texts = await textsOf(asked, context).catch(() => null);
    if (!texts) return null;
    const [head = "", tail = ""] = JSON.stringify(withPlace(data, split.path)).split(`"${PLACE}"`);
    const inside = Array.isArray(posts) ? ["[", ...texts, "]"] : texts.length > 0 ? texts : ["null"];
    return { data: new FinishedData([head, ...inside, tail]), errors: [] };
  };
}

const valueAt = (data: Data, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Data | null | undefined)?.[key], data);

/** The data with the placeholder in place of the posts. */
function withPlace(data: Data, [key = "", ...rest]: readonly string[]): Data {
  return { ...data, [key]: rest.length === 0 ? PLACE : withPlace(data[key] as Data, rest) };
}
