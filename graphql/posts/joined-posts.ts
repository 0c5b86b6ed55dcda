/** Queries that select the same fields of each post: each post's part is cached as text, and the response is assembled from these. */
import { randomUUID } from "node:crypto";
import { type DocumentNode, type GraphQLSchema, print } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { bytesOf } from "../../src/lib/text.js";
import type { GraphQLContext } from "../context.js";
import { type Answered, answeredBy, type Data } from "../shared/answered.js";
import { FinishedData } from "../shared/finished-data.js";
import { type FinishedPost, finishedPosts, type PostRef, STAMP } from "./finished-posts.js";
import { BY_VIEWER } from "./by-viewer.js";
import { recall, remember, rememberTagIds } from "./remembered.js";
import { type GivenPosts, postsSchema, splitAtPosts, withPlaces, withStamps } from "./split.js";

/** Runs an operation. @returns data that is JSON already, unless it has errors; null if graphql-js has to run it */
export type RunJoined = (context: GraphQLContext, variables: object) => Promise<Answered | null>;

/** A placeholder for the posts in the text of a response, which no client can guess. */
const PLACE = randomUUID();
/** Memory of a text besides its bytes, and of each of its parts. */
const TEXT_BYTES = 200;
const PART_BYTES = 50;

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

/** The text of a post up to a field that differs by viewer, its name, the text up to the next one, and so on to the end. */
type Parts = readonly string[];

interface PostParts {
  post: PostRef;
  parts: Parts;
}

const PLACES = new RegExp(`"${PLACE} (\\w+)"`);

/** The values of a post that differ by viewer, in the order of their places. */
const valuesOf = (parts: Parts, post: PostRef, context: GraphQLContext): Promise<unknown>[] =>
  parts
    .filter((_, index) => index % 2 === 1)
    .map((name) => BY_VIEWER[name as keyof typeof BY_VIEWER](post, context) as Promise<unknown>);

/** The complete texts of posts as the viewer sees them. */
async function filled(texts: readonly PostParts[], context: GraphQLContext): Promise<string[]> {
  const values = (await Promise.all(texts.flatMap(({ parts, post }) => valuesOf(parts, post, context)))).values();
  return texts.map(({ parts }) =>
    parts.length === 1
      ? (parts[0] as string)
      : parts.map((part, index) => (index % 2 === 0 ? part : JSON.stringify(values.next().value))).join(""),
  );
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
  const make = async (refs: readonly PostRef[], context: GraphQLContext): Promise<(PostParts | null)[]> => {
    const all = await finishedPosts(refs, context, withTags);
    const posts: GivenPosts<FinishedPost> = { posts: all.filter((post) => post !== null) };
    const { data, errors } = await inner.query(posts, context, {});
    if (!data || errors) throw errors?.[0] ?? new TypeError("a post has fields");
    const records = (data as GivenPosts<Data>).posts.values();
    return all.map((post) => {
      if (!post) return null;
      const text = JSON.stringify(records.next().value);
      const parts = text.split(PLACES);
      remember(kind, post, context, parts, TEXT_BYTES + PART_BYTES * parts.length + bytesOf(text));
      if (hasPageTags) rememberTagIds(post, context);
      return { post, parts };
    });
  };
  const textsOf = async (posts: readonly PostRef[], context: GraphQLContext): Promise<string[]> => {
    const known = posts.map((post) => {
      const parts = recall(kind, post, context) as Parts | undefined;
      return parts && { post, parts };
    });
    const missing = posts.filter((_, index) => !known[index]);
    const made = (missing.length > 0 ? await make(missing, context) : []).values();
    const all = known.map((parts) => parts ?? (made.next().value as PostParts | null));
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
    const text = Array.isArray(posts) ? `[${texts.join(",")}]` : (texts[0] ?? "null");
    const finished = JSON.stringify(withPlace(data, split.path)).replace(`"${PLACE}"`, () => text);
    return { data: new FinishedData(finished), errors: [] };
  };
}

const valueAt = (data: Data, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Data | null | undefined)?.[key], data);

/** The data with the placeholder in place of the posts. */
function withPlace(data: Data, [key = "", ...rest]: readonly string[]): Data {
  return { ...data, [key]: rest.length === 0 ? PLACE : withPlace(data[key] as Data, rest) };
}
