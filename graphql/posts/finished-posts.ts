/**
 * Every field that leads to posts gives finished ones: the fields of `Post` are plain values then, read without a resolver. What
 * the process remembers of a post as it is is not read again.
 */
import { MapperKind, mapSchema } from "@graphql-tools/utils";
import {
  defaultFieldResolver,
  type FieldNode,
  getNamedType,
  type GraphQLFieldConfig,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
} from "graphql";
import { isRecord, isStamped, type PostRef } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import type { ConnectionOf } from "../shared/connection.js";
import { filesUrlOf, finish, type FinishedPost, giveTags, hasTags, isFinished } from "./post.facts.js";
import { recall, remember } from "./remembered.js";

export type { PostRef } from "../../src/resources/posts/post.records.js";
export type { FinishedPost } from "./post.facts.js";

/** The field that gives a post as it came, unfinished: for who makes the text of it. */
export const STAMP = "stamp";

/** What is asked of posts. */
type Wanted = "stamps" | "fields" | "fields and tags";

/** The schema, its fields that lead to posts finishing them. */
export const withFinishedPosts = (schema: GraphQLSchema): GraphQLSchema =>
  mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field: GraphQLFieldConfig<unknown, GraphQLContext>) => {
      const { name } = getNamedType(field.type);
      if (name === "PostConnection") return finishing(field, finishedPage);
      return name === "Post" ? finishing(field, finishedValue) : field;
    },
  });

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

/** A page's posts, all at once; what was removed since the page was read is not on it. */
function finishedPage(page: unknown, context: GraphQLContext, wanted: Wanted): unknown {
  const connection = page as ConnectionOf<PostRef> | null;
  const posts = connection && finishedValue(connection.nodes, context, wanted);
  if (posts instanceof Promise) return posts.then((nodes: PostRef[]) => Object.assign(connection as object, { nodes }));
  return connection && Object.assign(connection, { nodes: posts });
}

/** A post, or several without those that are gone; at once where they are remembered. */
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
  const known = isFinished(post) ? post : recalled(post, context);
  const withTags = wanted === "fields and tags";
  if (known && (!withTags || hasTags(known))) return known;
  return finishedPost(known ?? post, context, { withTags, isRemembered: true });
}

const recalled = (post: PostRef, context: GraphQLContext): FinishedPost | undefined =>
  recall("record", post, context) as FinishedPost | undefined;

/** What a finished post takes in memory beside its tags and texts, in bytes, and what a tag takes, named twice. */
const POST_BYTES = 3_500;
const TAG_BYTES = 60;

const sizeOf = ({ tagIds, source, childIds }: FinishedPost): number =>
  POST_BYTES + TAG_BYTES * tagIds.length + 2 * source.length + 8 * childIds.length;

/**
 * A post with all that the type `Post` has; null for one that is gone. Of those that come together, records and tags are read
 * together.
 */
export async function finishedPost(
  ref: PostRef,
  context: GraphQLContext,
  { withTags, isRemembered }: { withTags: boolean; isRemembered: boolean },
): Promise<FinishedPost | null> {
  const { loaders, viewer } = context;
  const stamp = isStamped(ref) || isRecord(ref) ? ref : await loaders.post.load(ref.id);
  const record =
    stamp === null || isRecord(stamp) ? stamp : (recalled(stamp, context) ?? (await loaders.postRecord.load(stamp.id)));
  if (!record) return null;
  const post = isFinished(record) ? record : finish(record, viewer, filesUrlOf(context));
  if (withTags && !hasTags(post)) giveTags(post, await loaders.postTagStrings.load(post));
  if (isRemembered) remember("record", post, context, post, sizeOf(post));
  return post;
}

/** By field, since each is asked about again for every post. */
const wantedByField = new WeakMap<FieldNode, Wanted>();

/** What is asked of the posts that the field leads to. */
function wantedOf({ fieldNodes, fragments }: GraphQLResolveInfo): Wanted {
  const each = fieldNodes.map((node) => {
    const wanted = wantedByField.get(node) ?? wantedIn([...fieldsIn(node.selectionSet, fragments)]);
    wantedByField.set(node, wanted);
    return wanted;
  });
  return each.includes("fields and tags") ? "fields and tags" : (each[0] ?? "fields");
}

/** What is known without the record, of a post or its page. */
const UNRECORDED = new Set([
  STAMP,
  "id",
  "__typename",
  "cursor",
  "pageInfo",
  "tags",
  "totalCount",
  "isTotalCountEstimate",
  "hints",
]);

function wantedIn(names: readonly string[]): Wanted {
  if (names.every((name) => UNRECORDED.has(name))) return "stamps";
  return names.some((name) => name.startsWith("tagString")) ? "fields and tags" : "fields";
}

/** Fields of a page that lead to its posts. */
const LEADING = new Set(["nodes", "edges", "node"]);

function* fieldsIn(
  selected: SelectionSetNode | undefined,
  fragments: GraphQLResolveInfo["fragments"],
): Generator<string> {
  for (const each of selected?.selections ?? []) {
    if (each.kind === Kind.FIELD && !LEADING.has(each.name.value)) yield each.name.value;
    else if (each.kind === Kind.FRAGMENT_SPREAD) yield* fieldsIn(fragments[each.name.value]?.selectionSet, fragments);
    else yield* fieldsIn(each.selectionSet, fragments);
  }
}
