import type { PostRef } from "../../src/resources/posts/post.records.js";
import { Post } from "../posts/post.type.js";
import { RECORDS } from "../shared/bounded.js";
import { date, inputType, int, ints, nested, nullable, objectType, string } from "../shared/fields.js";
import { list, mutation, resolversOf } from "../shared/operations.js";
import { computedList, relation } from "../shared/record-fields.js";
import { User } from "../users/user.type.js";

const Favorite = objectType("Favorite", "A post that a user marked as a favorite.", {
  id: int("ID of the favorite."),
  userId: int("The user whose favorite it is."),
  postId: int("ID of the post."),
  createdAt: date("When the favorite was added."),
});

const FavoriteInput = inputType("FavoriteInput", "The post.", { postId: int("ID of the post.") });

const FavoritePayload = objectType("FavoritePayload", "The favorite and the post with its new count.", {
  favorite: nested(() => Favorite, "The favorite."),
  post: nullable(nested(() => Post, "The post with its new count.")),
});

/** A mutation of the viewer's favorites. @param change the method of the service */
const changing = (change: "create" | "delete", description: string) =>
  mutation({
    description,
    limited: "vote",
    input: [FavoriteInput, "The post."],
    payload: FavoritePayload,
    resolve: async (context, { postId }) => {
      const favorite = await context.board.favorites[change](context, postId);
      return { favorite, post: await context.loaders.post.load(postId) };
    },
  });

resolversOf(Favorite, {
  favorites: list({
    of: Favorite,
    description: "Lists favorites, newest first.",
    search: {
      id: ints("Favorites with these IDs."),
      userId: ints("Favorites of these users."),
      userName: string("Favorites of the user with this name."),
      postId: ints("Favorites of these posts."),
      ofPost: int("Favorites of this post, which must exist."),
    },
    find: (context, search, page) => context.board.favorites.search(context, search, page),
  }),

  createFavorite: changing("create", "Adds a post to the viewer's favorites."),
  deleteFavorite: changing("delete", "Removes a post from the viewer's favorites."),

  user: relation(() => User, "The user whose favorite it is."),
  post: relation(() => Post, "The post."),
});

resolversOf(Post, {
  favoritedBy: computedList(
    () => User,
    RECORDS,
    "Users who added it to their favorites, most recent first, without those whose favorites are private.",
    async ({ id }: PostRef, { loaders }, limit) => {
      const favorites = await loaders.postFavorites.load({ ownerId: id, limit });
      return Promise.all(favorites.map(({ userId }) => loaders.user.load(userId)));
    },
  ),
});
