import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { FavoriteSearch as SearchAttributes } from "../../src/resources/favorites/favorite.service.js";
import { Post } from "../posts/post.type.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";

@ObjectType({ description: "A post that a user keeps." })
export class Favorite {
  @Field(() => Int, { description: "Number of the favorite." })
  id!: number;

  @Field(() => Int, { description: "Whose favorite it is." })
  userId!: number;

  @Field(() => User, { nullable: true, description: "Whose favorite it is." })
  user!: User | null;

  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => Post, { nullable: true, description: "The post." })
  post!: Post | null;

  @Field(() => Date, { description: "Since when it is one." })
  createdAt!: Date;
}

export const FavoriteConnection = Connection(Favorite, "Favorite");

@InputType({ description: "Which favorites to list." })
export class FavoriteSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Favorites of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Favorites of these users." })
  userId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Favorites of the user of this name." })
  userName?: string | null;

  @Field(() => [Int], { nullable: true, description: "Favorites that are these posts." })
  postId?: number[] | null;

  @Field(() => Int, { nullable: true, description: "Favorites of this post, which has to be there." })
  ofPost?: number | null;
}

@InputType({ description: "Which post is meant." })
export class FavoriteInput {
  @Field(() => Int, { description: "Number of the post." })
  postId!: number;
}

@ObjectType({ description: "The favorite, and the post with its new count." })
export class FavoritePayload {
  @Field(() => Favorite, { description: "The favorite." })
  favorite!: Favorite;

  @Field(() => Post, { nullable: true, description: "The post with its new count." })
  post!: Post | null;
}
