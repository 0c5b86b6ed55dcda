import { Post } from "../posts/post.type.js";
import { int, string, date, nested, ints, nullable, allNullable, objectType, inputType } from "../shared/fields.js";

export const Favorite = objectType("Favorite", "A post that a user keeps.", {
  id: int("Number of the favorite."),
  userId: int("Whose favorite it is."),
  postId: int("Number of the post."),
  createdAt: date("Since when it is one."),
});

export const FavoriteSearch = inputType(
  "FavoriteSearch",
  "Which favorites to list.",
  allNullable({
    id: ints("Favorites of these numbers."),
    userId: ints("Favorites of these users."),
    userName: string("Favorites of the user of this name."),
    postId: ints("Favorites that are these posts."),
    ofPost: int("Favorites of this post, which has to be there."),
  }),
);

export const FavoriteInput = inputType("FavoriteInput", "Which post is meant.", {
  postId: int("Number of the post."),
});
export type FavoriteInput = InstanceType<typeof FavoriteInput>;

export const FavoritePayload = objectType("FavoritePayload", "The favorite, and the post with its new count.", {
  favorite: nested(() => Favorite, "The favorite."),
  post: nullable(nested(() => Post, "The post with its new count.")),
});
