/** Queries that ask for posts and the same of each: what each answers is remembered as text, and the answer is put together of texts. */
import { randomUUID } from "node:crypto";
import { type DocumentNode, type ExecutionResult, type GraphQLSchema, print } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { bytesOf } from "../../src/lib/text.js";
import type { GraphQLContext } from "../context.js";
import { FinishedData } from "../shared/finished-data.js";
import { finishedPost, type PostRef, STAMP } from "./finished-posts.js";
import { BY_VIEWER } from "./by-viewer.js";
import { recall, remember, rememberTagIds } from "./remembered.js";
import { postSchema, splitAtPosts, withPlaces, withStamps } from "./split.js";

/** Runs an operation. @returns data that is JSON already; null where that has errors, which graphql-js reports */
export type RunJoined = (context: GraphQLContext, variables: object) => Promise<FinishedData | null>;

/** A placeholder for the posts in the text of a response, which no client can guess. */
const PLACE = randomUUID();
/** What a text takes in memory beside its bytes, and each of its parts. */
const TEXT_BYTES = 200;
const PART_BYTES = 50;

type Stamped = Record<typeof STAMP, PostRef>;
type Data = Record<string, unknown>;

/** The schemas that an operation is compiled for, of each schema made once. */
const schemas = new WeakMap<GraphQLSchema, { leading: GraphQLSchema; asking: GraphQLSchema }>();
function schemasOf(schema: GraphQLSchema) {
  const known = schemas.get(schema) ?? {
    leading: withStamps(schema),
    asking: postSchema(withPlaces(schema, (name) => `${PLACE} ${name}`)),
  };
  schemas.set(schema, known);
  return known;
}

/** The text of a post up to a field that differs by viewer, its name, the text up to the next one, and so on to the end. */
type Parts = readonly string[];
const PLACES = new RegExp(`"${PLACE} (\\w+)"`);

/** The whole text of a post as its viewer sees it. */
function filled(parts: Parts, post: PostRef, context: GraphQLContext): string | Promise<string> {
  if (parts.length === 1) return parts[0] as string;
  const texts = parts.map((part, index) => (index % 2 === 0 ? Promise.resolve(part) : valueOf(part, post, context)));
  return Promise.all(texts).then((all) => all.join(""));
}

const valueOf = async (name: string, post: PostRef, context: GraphQLContext): Promise<string> =>
  JSON.stringify(await BY_VIEWER[name as keyof typeof BY_VIEWER](post, context));

/** Kinds of texts so far. */
let kinds = 0;

/** The document's only operation as a function; null for one that can't be put together so. */
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

  /** The text of a post; null for one that is gone. @throws what its fields throw */
  const make = async (ref: PostRef, context: GraphQLContext): Promise<string | null> => {
    const post = await finishedPost(ref, context, { withTags, isRemembered: false });
    if (!post) return null;
    const { data, errors } = await inner.query(post, context, {});
    if (!data || errors) throw errors?.[0] ?? new TypeError("a post has fields");
    const text = JSON.stringify(data);
    const parts = text.split(PLACES);
    remember(kind, post, context, parts, TEXT_BYTES + PART_BYTES * parts.length + bytesOf(text));
    if (hasPageTags) rememberTagIds(post, context);
    return filled(parts, post, context);
  };
  const textOf = (post: PostRef, context: GraphQLContext) => {
    const parts = recall(kind, post, context) as Parts | undefined;
    return parts ? filled(parts, post, context) : make(post, context);
  };

  return async (context, variables) => {
    const { data, errors }: ExecutionResult<Data> = await outer.query(undefined, context, variables);
    if (!data || errors) return null;
    const posts = valueAt(data, split.path);
    if (posts === null || posts === undefined) return new FinishedData(JSON.stringify(data));
    const asked = ([posts].flat() as Stamped[]).map(({ [STAMP]: post }) => textOf(post, context));
    const made = await Promise.all(asked.map((text) => Promise.resolve(text))).catch(() => null);
    if (!made) return null;
    const texts = made.filter((text) => text !== null);
    const text = Array.isArray(posts) ? `[${texts.join(",")}]` : (texts[0] ?? "null");
    return new FinishedData(JSON.stringify(withPlace(data, split.path)).replace(`"${PLACE}"`, () => text));
  };
}

const valueAt = (data: Data, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Data | null | undefined)?.[key], data);

/** The data with the place in the posts' stead. */
function withPlace(data: Data, [key = "", ...rest]: readonly string[]): Data {
  return { ...data, [key]: rest.length === 0 ? PLACE : withPlace(data[key] as Data, rest) };
}
