/**
 * Every field that returns posts returns finished ones: the fields of `Post` are plain values then, read without a resolver. Data
 * of a post that the process has cached is not read again.
 */
import {
  defaultFieldResolver,
  type FieldNode,
  getNamedType,
  type GraphQLFieldConfig,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from "graphql";
import { isRecord, isStamped, type PostRecord, type PostRef } from "../../src/resources/posts/post.records.js";
import type { TagStrings } from "../../src/tagging/cached-tags.js";
import type { GraphQLContext } from "../context.js";
import type { ConnectionOf } from "../shared/connection.js";
import { fieldsIn, type Fragments } from "../shared/selections.js";
import { filesUrlOf, finish, type FinishedPost, giveTags, hasTags, isFinished } from "./post.facts.js";
import { recallRecord, rememberRecord } from "./remembered.js";
import { getOrMake } from "../../src/lib/get-or-make.js";

export type { PostRef } from "../../src/resources/posts/post.records.js";
export type { FinishedPost } from "./post.facts.js";

/** The field of an unfinished post, for code that makes its text. */
export const STAMP = "stamp";
/** The field of the unfinished posts of a page. */
export const STAMPS = "stamps";

/** The fields selected on posts, each including those after it. */
const MOST_FIRST = ["fields and tags", "fields", "stamps"] as const;
type Wanted = (typeof MOST_FIRST)[number];

/** The field; if it returns posts, it finishes them. */
export function finishingPosts(
  field: GraphQLFieldConfig<unknown, GraphQLContext>,
): GraphQLFieldConfig<unknown, GraphQLContext> {
  const { name } = getNamedType(field.type);
  if (name === "PostConnection") return finishing(field, finishedPage);
  return name === "Post" ? finishing(field, finishedValue) : field;
}

type Finish = (value: unknown, context: GraphQLContext, wanted: Wanted) => unknown;

function finishing(
  field: GraphQLFieldConfig<unknown, GraphQLContext>,
  finishAll: Finish,
): GraphQLFieldConfig<unknown, GraphQLContext> {
  const resolve = field.resolve ?? defaultFieldResolver;
  return {
    ...field,
    resolve(source, args, context, info) {
      const value: unknown = resolve(source, args, context, info);
      const wanted = wantedOf(info);
      return value instanceof Promise
        ? value.then((found: unknown) => finishAll(found, context, wanted))
        : finishAll(value, context, wanted);
    },
  };
}

/** Finishes the posts of a page together; posts removed since the page was read are left out. */
function finishedPage(page: unknown, context: GraphQLContext, wanted: Wanted): unknown {
  const connection = page as ConnectionOf<PostRef> | null;
  const posts = connection && finishedValue(connection.nodes, context, wanted);
  if (posts instanceof Promise) return posts.then((nodes: PostRef[]) => Object.assign(connection as object, { nodes }));
  return connection && Object.assign(connection, { nodes: posts });
}

/** Finishes a post, or several without removed ones; without a promise if they are cached. */
function finishedValue(value: unknown, context: GraphQLContext, wanted: Wanted): unknown {
  if (value === null || value === undefined) return value;
  if (!Array.isArray(value)) return shown(value as PostRef, context, wanted);
  const posts = (value as (PostRef | null)[]).map((post) => post && shown(post, context, wanted));
  return posts.some((post) => post instanceof Promise)
    ? Promise.all(posts.map((post) => Promise.resolve(post))).then((all) => all.filter((post) => post !== null))
    : posts.filter((post) => post !== null);
}

function shown(post: PostRef, context: GraphQLContext, wanted: Wanted): PostRef | Promise<PostRef | null> {
  if (wanted === "stamps") return isStamped(post) || isRecord(post) ? post : context.loaders.post.load(post.id);
  const known = isFinished(post) ? post : isRecord(post) ? undefined : recalled(post, context);
  const withTags = wanted === "fields and tags";
  if (known && (!withTags || hasTags(known))) return known;
  return finishedPost(known ?? post, context, withTags);
}

function recalled(post: PostRef, context: GraphQLContext): FinishedPost | undefined {
  const record = recallRecord(post, context);
  return record && finish(record, context.viewer, filesUrlOf(context));
}

/**
 * A post with all fields of the type `Post`; null if it was removed. If several are requested one by one at the same time, their records
 * and tags are read together.
 */
async function finishedPost(ref: PostRef, context: GraphQLContext, withTags: boolean): Promise<FinishedPost | null> {
  const record = isRecord(ref) ? ref : await recordOf(ref, context);
  if (!record) return null;
  if (!isFinished(record)) rememberRecord(record, context);
  const post = finishedRecord(record, context);
  if (withTags && !hasTags(post)) giveTags(post, await context.loaders.postTagStrings.load(post));
  return post;
}

/** The same for several posts at once, which are not cached: a promise for each would take longer than its record. */
export async function finishedPosts(
  refs: readonly PostRef[],
  context: GraphQLContext,
  withTags: boolean,
): Promise<(FinishedPost | null)[]> {
  const records = refs.every(isRecord) ? refs : await Promise.all(refs.map((ref) => recordOf(ref, context)));
  const posts = records.map((record) => record && finishedRecord(record, context));
  const untagged = posts.filter((post) => post !== null && withTags && !hasTags(post)) as FinishedPost[];
  if (untagged.length > 0) {
    const strings = await context.board.tagCache.stringsOf(untagged);
    for (const [index, post] of untagged.entries()) giveTags(post, strings[index] as TagStrings);
  }
  return posts;
}

/** The record of a post, which may have come without; null if it was removed. */
export async function recordOf(ref: PostRef, context: GraphQLContext): Promise<PostRecord | null> {
  const stamp = isStamped(ref) || isRecord(ref) ? ref : await context.loaders.post.load(ref.id);
  if (!stamp || isRecord(stamp)) return stamp;
  return recalled(stamp, context) ?? context.loaders.postRecord.load(stamp.id);
}

const finishedRecord = (record: PostRecord, context: GraphQLContext): FinishedPost =>
  isFinished(record) ? record : finish(record, context.viewer, filesUrlOf(context));

/** Cached by field, since each is used again for every post. */
const wantedByField = new WeakMap<FieldNode, Wanted>();

/** The fields selected on the posts that a field returns. */
function wantedOf({ fieldNodes, fragments }: GraphQLResolveInfo): Wanted {
  const each = fieldNodes.map((node) =>
    getOrMake(wantedByField, node, () => wantedIn([...namesIn(node.selectionSet, new Map(Object.entries(fragments)))])),
  );
  return MOST_FIRST.find((wanted) => each.includes(wanted)) ?? "fields";
}

/** Fields of a post, or of its page, that don't need the record. */
const UNRECORDED = new Set([
  STAMP,
  STAMPS,
  "id",
  "__typename",
  "cursor",
  "pageInfo",
  "tags",
  "totalCount",
  "isTotalCountEstimate",
  "hints",
  "pool",
]);

function wantedIn(names: readonly string[]): Wanted {
  if (names.every((name) => UNRECORDED.has(name))) return "stamps";
  return names.some((name) => name.startsWith("tagString")) ? "fields and tags" : "fields";
}

/** Fields of a page that return its posts. */
const LEADING = new Set(["nodes", "edges", "node"]);

function* namesIn(selected: SelectionSetNode | undefined, fragments: Fragments): Generator<string> {
  for (const { name, selectionSet } of selected ? fieldsIn(selected, fragments) : []) {
    if (LEADING.has(name.value)) yield* namesIn(selectionSet, fragments);
    else yield name.value;
  }
}
