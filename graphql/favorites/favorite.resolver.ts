import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { Favorite, FavoriteInput, FavoritePayload, FavoriteSearch } from "./favorite.type.js";
import { resolver, list, relation, mutation } from "../shared/operations.js";

export const FavoriteResolver = resolver(Favorite, {
  favorites: list({
    of: Favorite,
    description: "Lists favorites, newest first.",
    search: [FavoriteSearch, "Filters for the list of favorites."],
    find: (context, search, page) => context.board.favorites.search(context, search, page),
  }),

  user: relation(() => User, "The user whose favorite it is."),

  post: relation(() => Post, "The post."),

  createFavorite: mutation({
    description: "Adds a post to the viewer's favorites.",
    limited: "vote",
    input: [FavoriteInput, "The post."],
    payload: FavoritePayload,
    resolve: async (context, { postId }) => {
      const favorite = await context.board.favorites.create(context, postId);
      return { favorite, post: await context.loaders.post.load(postId) };
    },
  }),

  deleteFavorite: mutation({
    description: "Removes a post from the viewer's favorites.",
    limited: "vote",
    input: [FavoriteInput, "The post."],
    payload: FavoritePayload,
    resolve: async (context, { postId }) => {
      const favorite = await context.board.favorites.delete(context, postId);
      return { favorite, post: await context.loaders.post.load(postId) };
    },
  }),
});
