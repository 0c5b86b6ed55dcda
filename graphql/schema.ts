/** The schema: one line for each resolver class. It is printed to `graphql/schema.graphql`. */
import "reflect-metadata";
import { MapperKind, mapSchema } from "@graphql-tools/utils";
import { createPubSub } from "@graphql-yoga/subscription";
import { getNullableType, type GraphQLObjectType, type GraphQLSchema } from "graphql";
import { buildSchemaSync, type NonEmptyArray } from "type-graphql";
import { AccountResolver } from "./accounts/account.resolver.js";
import {
  ArtistCommentaryResolver,
  ArtistCommentaryVersions,
  PostArtistCommentary,
} from "./artist-commentaries/artist-commentary.resolver.js";
import { ArtistResolver, ArtistVersions } from "./artists/artist.resolver.js";
import { AutocompleteResolver } from "./autocomplete/autocomplete.resolver.js";
import { BanResolver } from "./bans/ban.resolver.js";
import { BoardResolver } from "./board/board.resolver.js";
import { CommentResolver, PostComments } from "./comments/comment.resolver.js";
import type { GraphQLContext } from "./context.js";
import { DmailResolver } from "./dmails/dmail.resolver.js";
import { FavoriteGroupResolver, FavoriteGroupVersions } from "./favorite-groups/favorite-group.resolver.js";
import { FavoriteResolver, PostFavorites } from "./favorites/favorite.resolver.js";
import { ForumPostResolver, ForumTopicResolver } from "./forum/forum.resolver.js";
import { clearLoaders } from "./loaders.js";
import { ModActionResolver } from "./mod-actions/mod-action.resolver.js";
import { NoteCopyResolver, NoteResolver, NoteVersions, PostNotes } from "./notes/note.resolver.js";
import { PoolResolver, PoolVersions, PostPools } from "./pools/pool.resolver.js";
import { PostAppealResolver } from "./post-appeals/post-appeal.resolver.js";
import { PostFlagResolver } from "./post-flags/post-flag.resolver.js";
import { PostVersionFields, PostVersions } from "./post-versions/post-version.resolver.js";
import { finishingPosts } from "./posts/finished-posts.js";
import { PostBulkResolver } from "./posts/post-bulk.resolver.js";
import { PostExploreResolver } from "./posts/post-explore.resolver.js";
import { PostModerationResolver } from "./posts/post-moderation.resolver.js";
import { PostNeighborsFields, PostPageFields } from "./posts/post-page.fields.js";
import { PostFields } from "./posts/post.fields.js";
import { PostOperations, PostResolver } from "./posts/post.resolver.js";
import { TagEditResolver } from "./posts/tag-edit.js";
import { RelatedTagResolver } from "./related-tags/related-tag.resolver.js";
import { SessionResolver } from "./session/session.resolver.js";
import { authChecker } from "./shared/access.js";
import { withBound } from "./shared/bounded.js";
import { withNodes } from "./shared/node.js";
import { passPlainArguments } from "./shared/plain-arguments.js";
import { SubscriptionResolver } from "./subscriptions/subscription.resolver.js";
import { TagAliasResolver, TagImplicationResolver, TagRelationFields } from "./tag-relations/tag-relation.resolver.js";
import { TagResolver } from "./tags/tag.resolver.js";
import { UploadResolver } from "./uploads/upload.resolver.js";
import { UserFeedbackResolver } from "./user-feedbacks/user-feedback.resolver.js";
import { UserResolver } from "./users/user.resolver.js";
import { VoteResolver } from "./votes/vote.resolver.js";
import { WikiPageResolver, WikiPageVersions } from "./wiki-pages/wiki-page.resolver.js";

const resolvers = [
  AccountResolver,
  ArtistCommentaryResolver,
  ArtistCommentaryVersions.resolver,
  PostArtistCommentary,
  ArtistResolver,
  ArtistVersions.resolver,
  AutocompleteResolver,
  BanResolver,
  BoardResolver,
  CommentResolver,
  PostComments,
  DmailResolver,
  FavoriteGroupResolver,
  FavoriteGroupVersions.resolver,
  FavoriteResolver,
  PostFavorites,
  ForumPostResolver,
  ForumTopicResolver,
  ModActionResolver,
  NoteCopyResolver,
  NoteResolver,
  NoteVersions.resolver,
  PostNotes,
  PoolResolver,
  PoolVersions.resolver,
  PostPools,
  PostAppealResolver,
  PostFlagResolver,
  PostVersionFields,
  PostVersions.resolver,
  PostBulkResolver,
  PostExploreResolver,
  PostModerationResolver,
  PostNeighborsFields,
  PostPageFields,
  PostFields,
  PostOperations,
  PostResolver,
  TagEditResolver,
  RelatedTagResolver,
  SessionResolver,
  SubscriptionResolver,
  TagRelationFields,
  TagAliasResolver,
  TagImplicationResolver,
  TagResolver,
  UploadResolver,
  UserFeedbackResolver,
  UserResolver,
  VoteResolver,
  WikiPageResolver,
  WikiPageVersions.resolver,
] as unknown as NonEmptyArray<() => void>;

let declared: GraphQLSchema | undefined;

/** The schema as the decorators declare it; they are the same for the whole process. */
function declaredSchema(): GraphQLSchema {
  if (declared) return declared;
  // type-graphql requires a pubSub, although every subscription here has its own source of events
  // the check is a query about the whole schema, and takes a tenth of a start; a test validates the schema
  declared = buildSchemaSync({ resolvers, authChecker, pubSub: createPubSub(), validate: false, skipCheck: true });
  passPlainArguments(globalThis.TypeGraphQLMetadataStorage);
  return declared;
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
