import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { FavoriteRecord } from "../../src/resources/favorites/favorite.service.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import { User } from "../users/user.type.js";
import { Favorite, FavoriteConnection, FavoriteInput, FavoritePayload, FavoriteSearch } from "./favorite.type.js";

interface Payload {
  favorite: FavoriteRecord;
  post: PostRecord | null;
}

@Resolver(() => Favorite)
export class FavoriteResolver {
  @Public()
  @Query(() => FavoriteConnection, { description: "Lists favorites, newest first.", complexity: listComplexity })
  async favorites(
    @Arg("search", () => FavoriteSearch, { nullable: true, description: "Which favorites to list." })
    search: FavoriteSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() context: GraphQLContext,
  ): Promise<ConnectionOf<FavoriteRecord>> {
    return toConnection(await context.board.favorites.search(context, search ?? {}, toPageRequest(list)));
  }

  @RequireLevel(Level.Member)
  @Limited("vote")
  @Mutation(() => FavoritePayload, { description: "Makes a post one of your favorites." })
  async createFavorite(
    @Arg("input", () => FavoriteInput, { description: "The post." }) { postId }: FavoriteInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    const favorite = await context.board.favorites.create(context, postId);
    return { favorite, post: await context.loaders.post.load(postId) };
  }

  @RequireLevel(Level.Member)
  @Limited("vote")
  @Mutation(() => FavoritePayload, { description: "Takes a post out of your favorites." })
  async deleteFavorite(
    @Arg("input", () => FavoriteInput, { description: "The post." }) { postId }: FavoriteInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    const favorite = await context.board.favorites.delete(context, postId);
    return { favorite, post: await context.loaders.post.load(postId) };
  }

  @FieldResolver(() => User, { nullable: true, description: "Whose favorite it is." })
  user(@Root() favorite: FavoriteRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(favorite.userId);
  }

  @FieldResolver(() => Post, { nullable: true, description: "The post." })
  post(@Root() favorite: FavoriteRecord, @Ctx() { loaders }: GraphQLContext): Promise<PostRecord | null> {
    return loaders.post.load(favorite.postId);
  }
}
