/** Queries that select the same fields of several posts: each post's part is cached as text, and the response is assembled from these. */
import { randomUUID } from "node:crypto";
import { type DocumentNode, type GraphQLSchema, print } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { contentOf, hashOf, type Part, type Piece } from "../../src/lib/pieces.js";
import type { GraphQLContext } from "../context.js";
import { answeredBy, type Data, FinishedData, type Run } from "../shared/answered.js";
import { type FinishedPost, finishedPosts, type PostRef } from "./finished-posts.js";
import { BY_VIEWER, type ByViewer } from "./by-viewer.js";
import { recall, remember, rememberTagIds } from "./remembered.js";
import { type GivenPosts, type Place, postOf, postsSchema, splitAtPosts, withPlaces, withStamps } from "./split.js";
import { getOrMake } from "../../src/lib/get-or-make.js";

/** A placeholder for the posts in the text of a response, which no client can guess. */
const PLACE = randomUUID();
/** Memory of a text besides its bytes, and of each of its parts. */
const TEXT_BYTES = 350;
const PART_BYTES = 75;

/** The schemas for which an operation is compiled, created once for each schema. */
const schemas = new WeakMap<GraphQLSchema, { leading: GraphQLSchema; asking: GraphQLSchema }>();
const schemasOf = (schema: GraphQLSchema) =>
  getOrMake(schemas, schema, () => ({
    leading: withStamps(schema),
    asking: postsSchema(withPlaces(schema, (name) => `${PLACE} ${name}`)),
  }));

/**
 * The text of a post up to a field that differs by viewer, the name of that field, the text up to the next one, and so on to the end.
 * The hash of the first piece is that of all of them.
 */
type PostParts = readonly (Piece | ByViewer)[];

interface PlacedPost {
  post: PostRef;
  parts: PostParts;
}

/** The beginning of a placeholder, which ends with a field's name or a number, and a quote. */
const PLACE_BEGIN = `"${PLACE} `;

/** The text up to a placeholder, its name or number, the text up to the next one, and so on to the end. Searching for a text takes less time than a pattern. */
function splitAtPlaces(text: string): string[] {
  const parts: string[] = [];
  let end = 0;
  for (let at = text.indexOf(PLACE_BEGIN); at >= 0; at = text.indexOf(PLACE_BEGIN, end)) {
    const name = at + PLACE_BEGIN.length;
    const quote = text.indexOf('"', name);
    parts.push(text.slice(end, at), text.slice(name, quote));
    end = quote + 1;
  }
  parts.push(text.slice(end));
  return parts;
}

/** The parts of a post's text, which has placeholders. */
function partsOf(text: string): { parts: PostParts; bytes: number } {
  let bytes = TEXT_BYTES;
  const parts = splitAtPlaces(text).map((part, index) => {
    if (index % 2 === 1) return part as ByViewer;
    const content = contentOf(part);
    bytes += PART_BYTES + content.length;
    return { content, hash: index === 0 ? hashOf(text) : "" };
  });
  return { parts, bytes };
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

/** Adds the texts of a list of posts, or of one, with the values for the viewer. */
function addPosts(parts: Part[], texts: readonly PlacedPost[], values: ValuesByField, isList: boolean): void {
  let between = isList ? "[" : "";
  for (const [index, { parts: own, post }] of texts.entries()) {
    if (index > 0) between += ",";
    for (const part of own) {
      if (typeof part === "string") {
        between += JSON.stringify(values[part]?.get(post.id));
        continue;
      }
      parts.push(between, part);
      between = "";
    }
  }
  parts.push(isList ? `${between}]` : between);
}

/** Number of kinds of texts so far. */
let kinds = 0;

/** The texts of posts for a selection; null for a removed post. @throws errors of their fields */
type TextsOf = (posts: readonly PostRef[], context: GraphQLContext) => Promise<(PlacedPost | null)[]>;

/** @returns null if the compiler refuses the selection */
function textsFor(asking: GraphQLSchema, { inner: document, hasPageTags }: Place): TextsOf | null {
  const inner = compileQuery(asking, document);
  if (!isCompiledQuery(inner)) return null;
  const kind = `graphql ${(kinds += 1)}`;
  const withTags = print(document).includes("tagString");

  const make: TextsOf = async (refs, context) => {
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
  return async (posts, context) => {
    const recalled = recall(kind, posts, context) as (PostParts | undefined)[];
    const known = recalled.map((parts, index) => parts && { post: posts[index] as PostRef, parts });
    const missing = posts.filter((_, index) => !known[index]);
    const made = (missing.length > 0 ? await make(missing, context) : []).values();
    return known.map((text) => text ?? (made.next().value as PlacedPost | null));
  };
}

/** A value of a response that is a post, a list of posts, or null. */
interface Held {
  holder: Data;
  key: string;
  textsOf: TextsOf;
}

/** The values at a path, whose lists are followed into. */
function* heldAt(value: unknown, [key = "", ...rest]: readonly string[], textsOf: TextsOf): Generator<Held> {
  if (Array.isArray(value)) for (const each of value) yield* heldAt(each, [key, ...rest], textsOf);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const holder = value as Data;
  if (rest.length > 0) yield* heldAt(holder[key], rest, textsOf);
  else if (holder[key] !== null && holder[key] !== undefined) yield { holder, key, textsOf };
}

/** The document's only operation as a function that returns data as JSON, unless it has errors; null if it can't be assembled from texts. */
export function joinPosts(schema: GraphQLSchema, document: DocumentNode): Run | null {
  const split = splitAtPosts(schema, document, true);
  if (!split) return null;
  const { leading, asking } = schemasOf(schema);
  const outer = compileQuery<Data>(leading, split.outer);
  if (!isCompiledQuery(outer)) return null;
  const bySelection = new Map<string, TextsOf>();
  const places: { path: readonly string[]; textsOf: TextsOf }[] = [];
  for (const place of split.places) {
    const selection = `${print(place.inner)} ${place.hasPageTags}`;
    const textsOf = bySelection.get(selection) ?? textsFor(asking, place);
    if (!textsOf) return null;
    bySelection.set(selection, textsOf);
    places.push({ path: place.path, textsOf });
  }

  return async (context, variables) => {
    const answered = answeredBy(await outer.query(undefined, context, variables));
    const data = answered?.data as Data | null | undefined;
    const held = places.flatMap(({ path, textsOf }) => [...heldAt(data, path, textsOf)]);
    if (!data || held.length === 0) return answered;
    if (answered?.errors.length !== 0) return null;
    const parts = await partsFor(data, held, context).catch(() => null);
    return parts && { data: new FinishedData(parts), errors: [] };
  };
}

const postsIn = (value: unknown): PostRef[] => (Array.isArray(value) ? value.map(postOf) : [postOf(value)]);

/** The texts of each value's posts, without removed ones; those of the same selection are made together. */
async function textsOfAll(held: readonly Held[], context: GraphQLContext): Promise<PlacedPost[][]> {
  const posts = held.map(({ holder, key }) => postsIn(holder[key]));
  const selections = [...new Set(held.map(({ textsOf }) => textsOf))];
  const made = selections.map(async (textsOf) => {
    const selected = posts.filter((_, index) => held[index]?.textsOf === textsOf).flat();
    return [textsOf, (await textsOf(selected, context)).values()] as const;
  });
  const bySelection = new Map(await Promise.all(made));
  return posts.map((each, index) => {
    const texts = bySelection.get((held[index] as Held).textsOf);
    return each.flatMap(() => (texts?.next().value as PlacedPost | null) ?? []);
  });
}

/** The data as text, in which these values are the texts of their posts. @throws TypeError for a single post that was removed meanwhile */
async function partsFor(data: Data, held: readonly Held[], context: GraphQLContext): Promise<Part[]> {
  const texts = await textsOfAll(held, context);
  const values = await valuesOf(texts.flat(), context);
  const areLists = held.map(({ holder, key }, index) => {
    const isList = Array.isArray(holder[key]);
    if (!isList && texts[index]?.length === 0) throw new TypeError("the post was removed meanwhile");
    holder[key] = `${PLACE} ${index}`;
    return isList;
  });
  const parts: Part[] = [];
  for (const [index, text] of splitAtPlaces(JSON.stringify(data)).entries()) {
    if (index % 2 === 0) parts.push(text);
    else addPosts(parts, texts[Number(text)] ?? [], values, areLists[Number(text)] === true);
  }
  return parts;
}
