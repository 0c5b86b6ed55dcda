/** Every field that leads to posts gives finished ones: the fields of `Post` are plain values then, read without a resolver. */
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
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { finish, isFinished } from "./post.facts.js";

/** The schema, its fields that lead to posts finishing them. */
export const withFinishedPosts = (schema: GraphQLSchema): GraphQLSchema =>
  mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field: GraphQLFieldConfig<unknown, GraphQLContext>) =>
      getNamedType(field.type).name === "Post" ? finishing(field) : field,
  });

function finishing(field: GraphQLFieldConfig<unknown, GraphQLContext>): GraphQLFieldConfig<unknown, GraphQLContext> {
  const resolve = field.resolve ?? defaultFieldResolver;
  return {
    ...field,
    resolve(source, args, context, info) {
      const value: unknown = resolve(source, args, context, info);
      const withTags = asksForTags(info);
      return value instanceof Promise
        ? value.then((found: unknown) => finished(found, context, withTags))
        : finished(value, context, withTags);
    },
  };
}

/** The same value, its posts finished; at once where they are. */
function finished(value: unknown, context: GraphQLContext, withTags: boolean): unknown {
  if (value === null || value === undefined) return value;
  const posts = ((Array.isArray(value) ? value : [value]) as (PostRecord | null)[]).filter(
    (post): post is PostRecord => post !== null && !isFinished(post, withTags),
  );
  if (posts.length === 0) return value;
  if (!withTags) {
    finish(posts, context, []);
    return value;
  }
  return tagStringsOf(posts, context).then((strings) => {
    finish(posts, context, strings);
    return value;
  });
}

/** A page's at once; those of single posts gather. */
async function tagStringsOf(posts: readonly PostRecord[], { board, loaders }: GraphQLContext) {
  const [only] = posts;
  return posts.length === 1 && only ? [await loaders.postTagStrings.load(only)] : board.tagCache.stringsOf(posts);
}

/** By field, since each is asked about again for every post. */
const withTagStrings = new WeakMap<FieldNode, boolean>();

/** Whether the names of tags are asked for, of the posts that the field leads to. */
const asksForTags = ({ fieldNodes, fragments }: GraphQLResolveInfo): boolean =>
  fieldNodes.some((node) => {
    const known = withTagStrings.get(node) ?? selectsTags(node.selectionSet, fragments);
    withTagStrings.set(node, known);
    return known;
  });

const selectsTags = (selected: SelectionSetNode | undefined, fragments: GraphQLResolveInfo["fragments"]): boolean =>
  (selected?.selections ?? []).some((each) => {
    if (each.kind === Kind.FIELD) return each.name.value.startsWith("tagString");
    const fragment = each.kind === Kind.FRAGMENT_SPREAD ? fragments[each.name.value] : each;
    return selectsTags(fragment?.selectionSet, fragments);
  });
