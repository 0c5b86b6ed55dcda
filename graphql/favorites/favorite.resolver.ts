import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { FavoriteRecord } from "../../src/resources/favorites/favorite.service.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { RequireLevel } from "../shared/access.js";
import { Limited } from "../shared/limited.js";
import { User } from "../users/user.type.js";
import { Favorite, FavoriteInput, FavoritePayload, FavoriteSearch } from "./favorite.type.js";
import { resolver, list, relation } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

interface Payload {
  favorite: FavoriteRecord;
  post: PostRecord | null;
}

export const FavoriteOperations = resolver(Favorite, {
favorites: list({ of: Favorite, description: "Lists favorites, newest first.", allow: anybody, search: [FavoriteSearch, "Which favorites to list."], find: (context, search, page) => context.board.favorites.search(context, search, page) }),

user: relation(() => User, "Whose favorite it is."),

post: relation(() => Post, "The post."),
});

@Resolver(() => Favorite)
export class FavoriteResolver {

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
}
