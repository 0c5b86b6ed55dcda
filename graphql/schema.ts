/** The schema: one line for each file of resolvers. It is printed to `graphql/schema.graphql`. */
import "reflect-metadata";
import { MapperKind, mapSchema } from "@graphql-tools/utils";
import { createPubSub } from "@graphql-yoga/subscription";
import { getNullableType, type GraphQLObjectType, type GraphQLSchema } from "graphql";
import { buildSchemaSync, type NonEmptyArray, type ResolverData } from "type-graphql";
import type { GraphQLContext } from "./context.js";
import { clearLoaders } from "./loaders.js";
import { finishingPosts } from "./posts/finished-posts.js";
import { authChecker } from "./shared/access.js";
import { withBound } from "./shared/bounded.js";
import { withNodes } from "./shared/node.js";
import "./accounts/account.resolver.js";
import "./artist-commentaries/artist-commentary.resolver.js";
import "./artists/artist.resolver.js";
import "./autocomplete/autocomplete.resolver.js";
import "./bans/ban.resolver.js";
import "./board/board.resolver.js";
import "./comments/comment.resolver.js";
import "./dmails/dmail.resolver.js";
import "./favorite-groups/favorite-group.resolver.js";
import "./favorites/favorite.resolver.js";
import "./forum/forum.resolver.js";
import "./mod-actions/mod-action.resolver.js";
import "./notes/note.resolver.js";
import "./pools/pool.resolver.js";
import "./post-appeals/post-appeal.resolver.js";
import "./post-flags/post-flag.resolver.js";
import "./post-versions/post-version.resolver.js";
import "./posts/post-bulk.resolver.js";
import "./posts/post-explore.resolver.js";
import "./posts/post-moderation.resolver.js";
import "./posts/post-page.fields.js";
import "./posts/post.fields.js";
import "./posts/post.resolver.js";
import "./posts/tag-edit.js";
import "./related-tags/related-tag.resolver.js";
import "./session/session.resolver.js";
import "./subscriptions/subscription.resolver.js";
import "./tag-relations/tag-relation.resolver.js";
import "./tags/tag.resolver.js";
import "./uploads/upload.resolver.js";
import "./user-feedbacks/user-feedback.resolver.js";
import "./users/user.resolver.js";
import "./votes/vote.resolver.js";
import "./wiki-pages/wiki-page.resolver.js";

let declared: GraphQLSchema | undefined;

/** The schema as the decorators declare it; they are the same for the whole process. */
function declaredSchema(): GraphQLSchema {
  if (declared) return declared;
  const storage = globalThis.TypeGraphQLMetadataStorage;
  const resolvers = storage.resolverClasses.map(({ target }) => target) as unknown as NonEmptyArray<() => void>;
  // type-graphql requires a pubSub, although every subscription here has its own source of events
  // the check is a query about the whole schema, and takes a tenth of a start; a test validates the schema
  declared = buildSchemaSync({ resolvers, authChecker, pubSub: createPubSub(), validate: false, skipCheck: true });
  passPlainArguments(storage);
  return declared;
}

type Storage = typeof globalThis.TypeGraphQLMetadataStorage;
type Parameter = Storage["params"][number];

/**
 * type-graphql passes each argument of a resolver through a promise, which would validate it. Validation is off, and graphql-js has
 * coerced the arguments, so resolvers get them at once; only inputs still become instances of their classes by the library. To be called
 * after the schema was built from the storage, which can't be done again: its resolvers read their parameters at each call.
 */
function passPlainArguments(storage: Storage): void {
  const { queries, mutations, subscriptions, fieldResolvers } = storage;
  for (const handler of [...queries, ...mutations, ...subscriptions, ...fieldResolvers])
    handler.params = handler.params?.map((parameter) => plain(parameter, storage));
}

function plain(parameter: Parameter, { inputTypes }: Storage): Parameter {
  if (parameter.kind !== "arg") return parameter;
  const type: unknown = parameter.getType();
  if (inputTypes.some(({ target }) => target === type)) return parameter;
  const { target, methodName, index, name } = parameter;
  const resolver = ({ args }: ResolverData) => args[name] as unknown;
  return { kind: "custom", target, methodName, index, resolver, options: {} };
}

/** The schema with all fields as they are served, in one pass: each builds every type anew. */
const withServedFields = (schema: GraphQLSchema): GraphQLSchema =>
  mapSchema(schema, { [MapperKind.OBJECT_FIELD]: (field) => withBound(finishingPosts(field)) });

/** Builds the schema. Inputs are validated by the services, which REST shares. */
export function buildGraphQLSchema(): GraphQLSchema {
  const schema = withNodes(withServedFields(declaredSchema()));
  describeRoot(schema.getQueryType(), "Queries.");
  describeRoot(schema.getMutationType(), "Mutations run one after the other.");
  describeRoot(schema.getSubscriptionType(), "Subscriptions, over a WebSocket with the graphql-ws protocol.");
  separateMutations(schema.getMutationType());
  return schema;
}

/** type-graphql creates the two root types itself, without a way to describe them. */
function describeRoot(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}

/**
 * Makes the mutations of a request independent: their payloads are nullable, so that an error of one keeps the results of the
 * others, and each starts with empty loaders, since earlier ones may have changed what was loaded.
 */
function separateMutations(type: GraphQLObjectType | null | undefined): void {
  for (const field of Object.values(type?.getFields() ?? {})) {
    const { resolve } = field;
    field.type = getNullableType(field.type);
    field.resolve = (source, args, context: GraphQLContext, info) => {
      clearLoaders(context.loaders);
      return resolve?.(source, args, context, info);
    };
  }
}
