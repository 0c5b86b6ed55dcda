/** Queries that select the same fields of several posts: each post's part is cached as text, and the response is assembled from these. */
import { randomUUID } from "node:crypto";
import { type DocumentNode, GraphQLError, type GraphQLSchema, print } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { contentOf, hashOf, type Part, type Piece } from "../../src/lib/pieces.js";
import type { GraphQLContext } from "../context.js";
import { type Answered, answeredBy, type Data, FinishedData, type Run } from "../shared/answered.js";
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

/** A placeholder with the name of a field, or a number. */
const PLACES = new RegExp(`"${PLACE} (\\w+)"`);

/** The text up to a placeholder, its name or number, the text up to the next one, and so on to the end. */
const splitAtPlaces = (text: string): string[] => text.split(PLACES);

/** The parts of a post's text, which has placeholders. */
function partsOf(text: string): { parts: PostParts; bytes: number } {
  let bytes = TEXT_BYTES;
  const split = splitAtPlaces(text);
  // not of the text with its placeholders, which are others in each process
  const hash = hashOf(split.join("\0"));
  const parts = split.map((part, index) => {
    if (index % 2 === 1) return part as ByViewer;
    const content = contentOf(part);
    bytes += PART_BYTES + content.length;
    return { content, hash: index === 0 ? hash : "" };
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
    const known = await BY_VIEWER[name](posts, context);
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

type Path = readonly (string | number)[];

/** Where a response has posts, and what makes their texts. */
interface TextPlace extends Pick<Place, "path" | "nullable"> {
  textsOf: TextsOf;
}

/** A value of a response that is a post, a list of posts, or null. */
interface Held {
  holder: Data;
  key: string;
  textsOf: TextsOf;
  /** the root field that it is below */
  root: string;
  /** the path of the nearest value that may be null: empty for the whole response */
  nullable: Path;
}

/** The values at a place, whose lists are followed into. @param depth of the value in fields @param at its path, as far as it may be null */
function* heldAt(value: unknown, place: TextPlace, depth = 0, at: Path = []): Generator<Held> {
  const add = (key: string | number): Path => (depth < place.nullable ? [...at, key] : at);
  if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* heldAt(each, place, depth, add(index));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const { path, textsOf } = place;
  const [root = "", key = ""] = [path[0], path[depth]];
  const holder = value as Data;
  if (depth + 1 < path.length) yield* heldAt(holder[key], place, depth + 1, add(key));
  else if (holder[key] !== null && holder[key] !== undefined) yield { holder, key, textsOf, root, nullable: add(key) };
}

/** The document's only operation as a function that returns data as JSON, unless it has errors; null if it can't be assembled from texts. */
export function joinPosts(schema: GraphQLSchema, document: DocumentNode): Run | null {
  const split = splitAtPosts(schema, document, true);
  if (!split) return null;
  const { leading, asking } = schemasOf(schema);
  const outer = compileQuery<Data>(leading, split.outer);
  if (!isCompiledQuery(outer)) return null;
  const bySelection = new Map<string, TextsOf>();
  const places: TextPlace[] = [];
  for (const place of split.places) {
    const selection = `${print(place.inner)} ${place.hasPageTags}`;
    const textsOf = bySelection.get(selection) ?? textsFor(asking, place);
    if (!textsOf) return null;
    bySelection.set(selection, textsOf);
    places.push({ path: place.path, nullable: place.nullable, textsOf });
  }

  return async (context, variables) => {
    const answered = answeredBy(await outer.query(undefined, context, variables));
    const data = answered?.data as Data | null | undefined;
    const held = places.flatMap((place) => [...heldAt(data, place)]);
    if (!data || held.length === 0) return answered;
    if (answered?.errors.length !== 0) return null;
    return partsFor(data, held, context).then(
      (parts) => ({ data: new FinishedData(parts), errors: [] }),
      (error: Error) => (error instanceof RemovedMeanwhile ? null : withoutPosts(data, held, error)),
    );
  };
}

class RemovedMeanwhile extends Error {
  override name = "RemovedMeanwhile";
}

/** The answer if the posts can't be read, with null where that may be: running it again would double the load of an overloaded database. */
function withoutPosts(data: Data, held: readonly Held[], originalError: Error): Answered {
  const paths = held.map(({ root, nullable }) => (nullable.length > 0 ? nullable : [root]));
  const failed = new Map(paths.map((path) => [path.join("."), path])).values();
  const errors = [...failed].map((path) => new GraphQLError(originalError.message, { originalError, path }));
  if (held.some(({ nullable }) => nullable.length === 0)) return { data: null, errors };
  for (const { path = [] } of errors) {
    const holder = path.slice(0, -1).reduce<Data | null | undefined>((value, key) => value?.[key] as Data, data);
    if (holder) holder[path.at(-1) as string] = null;
  }
  return { data, errors };
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

/** The data as text, in which these values are the texts of their posts. @throws RemovedMeanwhile for a single post */
async function partsFor(data: Data, held: readonly Held[], context: GraphQLContext): Promise<Part[]> {
  const texts = await textsOfAll(held, context);
  const values = await valuesOf(texts.flat(), context);
  const areLists = held.map(({ holder, key }, index) => {
    const isList = Array.isArray(holder[key]);
    if (!isList && texts[index]?.length === 0) throw new RemovedMeanwhile();
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
