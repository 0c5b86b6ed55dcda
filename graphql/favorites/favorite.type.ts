import { Post } from "../posts/post.type.js";
import { int, string, date, nested, ints, nullable, objectType, inputType, optionalInput } from "../shared/fields.js";

export const Favorite = objectType("Favorite", "A post that a user marked as a favorite.", {
  id: int("ID of the favorite."),
  userId: int("The user whose favorite it is."),
  postId: int("ID of the post."),
  createdAt: date("When the favorite was added."),
});

export const FavoriteSearch = optionalInput("FavoriteSearch", "Filters for the list of favorites.", {
  id: ints("Favorites with these IDs."),
  userId: ints("Favorites of these users."),
  userName: string("Favorites of the user with this name."),
  postId: ints("Favorites of these posts."),
  ofPost: int("Favorites of this post, which must exist."),
});

export const FavoriteInput = inputType("FavoriteInput", "The post.", {
  postId: int("ID of the post."),
});

export const FavoritePayload = objectType("FavoritePayload", "The favorite and the post with its new count.", {
  favorite: nested(() => Favorite, "The favorite."),
  post: nullable(nested(() => Post, "The post with its new count.")),
});
