import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { Favorite, FavoriteInput, FavoritePayload, FavoriteSearch } from "./favorite.type.js";
import { resolver, list, relation, mutation } from "../shared/operations.js";

export const FavoriteResolver = resolver(Favorite, {
  favorites: list({
    of: Favorite,
    description: "Lists favorites, newest first.",
    search: [FavoriteSearch, "Which favorites to list."],
    find: (context, search, page) => context.board.favorites.search(context, search, page),
  }),

  user: relation(() => User, "Whose favorite it is."),

  post: relation(() => Post, "The post."),

  createFavorite: mutation({
    description: "Makes a post one of your favorites.",
    limited: "vote",
    input: [FavoriteInput, "The post."],
    payload: FavoritePayload,
    resolve: async (context, { postId }) => {
      const favorite = await context.board.favorites.create(context, postId);
      return { favorite, post: await context.loaders.post.load(postId) };
    },
  }),

  deleteFavorite: mutation({
    description: "Takes a post out of your favorites.",
    limited: "vote",
    input: [FavoriteInput, "The post."],
    payload: FavoritePayload,
    resolve: async (context, { postId }) => {
      const favorite = await context.board.favorites.delete(context, postId);
      return { favorite, post: await context.loaders.post.load(postId) };
    },
  }),
});
