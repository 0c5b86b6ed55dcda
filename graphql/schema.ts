/** The schema: one line for each resolver class. `graphql/schema.graphql` is what it prints. */
import "reflect-metadata";
import { createPubSub } from "@graphql-yoga/subscription";
import { getNullableType, type GraphQLObjectType, type GraphQLSchema } from "graphql";
import { buildSchemaSync, type NonEmptyArray } from "type-graphql";
import { AccountResolver } from "./accounts/account.resolver.js";
import { PostArtistCommentary, ArtistCommentaryResolver } from "./artist-commentaries/artist-commentary.resolver.js";
import { ArtistCommentaryVersions } from "./artist-commentaries/artist-commentary-version.js";
import { ArtistFields } from "./artists/artist.fields.js";
import { ArtistResolver } from "./artists/artist.resolver.js";
import { ArtistVersions } from "./artists/artist-version.js";
import { AutocompleteResolver } from "./autocomplete/autocomplete.resolver.js";
import { BoardResolver } from "./board/board.resolver.js";
import { BanResolver } from "./bans/ban.resolver.js";
import { CommentFields, PostComments } from "./comments/comment.fields.js";
import { CommentResolver } from "./comments/comment.resolver.js";
import { DmailResolver } from "./dmails/dmail.resolver.js";
import { UserFeedbackResolver } from "./user-feedbacks/user-feedback.resolver.js";
import { VoteResolver } from "./votes/vote.resolver.js";
import { ModActionResolver } from "./mod-actions/mod-action.resolver.js";
import { NoteCopyResolver } from "./notes/note-copy.resolver.js";
import { FavoriteResolver } from "./favorites/favorite.resolver.js";
import { ForumPostResolver } from "./forum/forum-post.resolver.js";
import { ForumTopicResolver } from "./forum/forum-topic.resolver.js";
import { NoteFields, PostNotes } from "./notes/note.fields.js";
import { NoteResolver } from "./notes/note.resolver.js";
import { NoteVersions } from "./notes/note-version.js";
import { TagRelationFields } from "./tag-relations/tag-relation.fields.js";
import { FavoriteGroupResolver, FavoriteGroupVersions } from "./favorite-groups/favorite-group.js";
import { PostFavorites } from "./favorites/favorite.fields.js";
import type { GraphQLContext } from "./context.js";
import { clearLoaders } from "./loaders.js";
import { PostPools, PoolRelations, PoolFields } from "./pools/pool.fields.js";
import { PoolResolver } from "./pools/pool.resolver.js";
import { PoolVersions } from "./pools/pool-version.js";
import { PostAppealResolver } from "./post-appeals/post-appeal.resolver.js";
import { PostFlagResolver } from "./post-flags/post-flag.resolver.js";
import { PostVersionFields } from "./post-versions/post-version.fields.js";
import { PostVersions } from "./post-versions/post-version.js";
import { PostExploreResolver } from "./posts/post-explore.resolver.js";
import { PostBulkResolver } from "./posts/post-bulk.resolver.js";
import { PostModerationResolver } from "./posts/post-moderation.resolver.js";
import { PostReports } from "./posts/post-reports.fields.js";
import { PostNeighborsFields, PostPageFields } from "./posts/post-page.fields.js";
import { withFinishedPosts } from "./posts/finished-posts.js";
import { PostFields } from "./posts/post.fields.js";
import { PostResolver, PostOperations } from "./posts/post.resolver.js";
import { TagEditResolver } from "./posts/tag-edit.js";
import { RelatedTagResolver } from "./related-tags/related-tag.resolver.js";
import { SessionResolver } from "./session/session.resolver.js";
import { authChecker } from "./shared/access.js";
import { withBounds } from "./shared/bounded.js";
import { withNodes } from "./shared/node.js";
import { SubscriptionResolver } from "./subscriptions/subscription.resolver.js";
import { TagAliasResolver, TagImplicationResolver } from "./tag-relations/tag-relation.resolver.js";
import { TagResolver } from "./tags/tag.resolver.js";
import { UploadResolver } from "./uploads/upload.resolver.js";
import { UserResolver } from "./users/user.resolver.js";
import { WikiPageResolver } from "./wiki-pages/wiki-page.resolver.js";
import { WikiPageVersions } from "./wiki-pages/wiki-page-version.js";

const resolvers = [
  AccountResolver,
  ArtistResolver,
  ArtistFields,
  ArtistVersions.resolver,
  ArtistCommentaryVersions.resolver,
  PostArtistCommentary,
  AutocompleteResolver,
  RelatedTagResolver,
  TagEditResolver,
  PostExploreResolver,
  BanResolver,
  BoardResolver,
  CommentFields,
  CommentResolver,
  ModActionResolver,
  VoteResolver,
  FavoriteResolver,
  FavoriteGroupResolver,
  FavoriteGroupVersions.resolver,
  ForumPostResolver,
  NoteFields,
  NoteVersions.resolver,
  PoolResolver,
  PoolVersions.resolver,
  PostComments,
  PostNotes,
  PostPools,
  PostAppealResolver,
  PostFlagResolver,
  PostBulkResolver,
  PostModerationResolver,
  PostReports,
  PostResolver,
  PostVersionFields,
  PostVersions.resolver,
  SubscriptionResolver,
  TagAliasResolver,
  TagImplicationResolver,
  UploadResolver,
  WikiPageVersions.resolver,
  PostPageFields,
  PostNeighborsFields,
  PostOperations,

  PoolRelations,
  UserResolver,
  NoteResolver,
  NoteCopyResolver,
  PostFields,
  WikiPageResolver,
  DmailResolver,
  ForumTopicResolver,
  SessionResolver,
  ArtistCommentaryResolver,
  TagRelationFields,
  UserFeedbackResolver,
  PostFavorites,
  TagResolver,
  PoolFields,
] as unknown as NonEmptyArray<() => void>;

/** Builds the schema. Inputs are validated by the services, which REST shares. */
export function buildGraphQLSchema(): GraphQLSchema {
  // type-graphql demands a pubSub, although every subscription here brings the events of its board
  const pubSub = createPubSub();
  const schema = withBounds(
    withNodes(withFinishedPosts(buildSchemaSync({ resolvers, authChecker, pubSub, validate: false }))),
  );
  describeRoot(schema.getQueryType(), "Queries.");
  describeRoot(schema.getMutationType(), "Mutations run one after the other.");
  describeRoot(schema.getSubscriptionType(), "Subscriptions, over a WebSocket with the graphql-ws protocol.");
  separateMutations(schema.getMutationType());
  return schema;
}

/** type-graphql makes the two root types itself, and has no place for their descriptions. */
function describeRoot(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}

/**
 * Each mutation of a request answers for itself: its payload may be null, so that the refusal of one leaves the answers of the
 * others, and it begins with empty loaders, since what those before it have loaded may have changed.
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
