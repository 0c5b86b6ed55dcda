import { type ClassType, Field, InputType, Int, ObjectType } from "type-graphql";
import type { Lock } from "../../src/tagging/tag-string.js";
import { Post } from "./post.type.js";
import { PostLock } from "./post.enums.js";

/** An input that names a post, and nothing else. */
function PostInput(name: string, description: string): ClassType<{ id: number }> {
  @InputType(name, { description })
  class Input {
    @Field(() => Int, { description: "Number of the post." })
    id!: number;
  }
  return Input;
}

/** A payload of the post after a change. */
function PostPayload(name: string, description: string): ClassType<{ post: Post }> {
  @ObjectType(name, { description })
  class Payload {
    @Field(() => Post, { description })
    post!: Post;
  }
  return Payload;
}

export const ApprovePostInput = PostInput("ApprovePostInput", "Which post to approve.");
export const ApprovePostPayload = PostPayload("ApprovePostPayload", "The post, now active.");
export const UndeletePostInput = PostInput("UndeletePostInput", "Which post to bring back.");
export const UndeletePostPayload = PostPayload("UndeletePostPayload", "The post, now active again.");
export const BanPostInput = PostInput("BanPostInput", "Which post to ban.");
export const BanPostPayload = PostPayload("BanPostPayload", "The post, now banned.");
export const UnbanPostInput = PostInput("UnbanPostInput", "Which post's ban to lift.");
export const UnbanPostPayload = PostPayload("UnbanPostPayload", "The post, no longer banned.");
export const MovePostFavoritesInput = PostInput("MovePostFavoritesInput", "Whose favorites to move.");
export const MovePostFavoritesPayload = PostPayload("MovePostFavoritesPayload", "The post, now without favorites.");
export const ExpungePostInput = PostInput("ExpungePostInput", "Which post to remove for good.");
export const DeletePostPayload = PostPayload("DeletePostPayload", "The post, now deleted.");
export const LockPostPayload = PostPayload("LockPostPayload", "The post with its locks.");
export const UnlockPostPayload = PostPayload("UnlockPostPayload", "The post with the locks that are left.");

@InputType({ description: "Which post to delete, and why." })
export class DeletePostInput {
  @Field(() => Int, { description: "Number of the post." })
  id!: number;

  @Field(() => String, { description: "Why, for everybody to read; at most 500 characters." })
  reason!: string;

  @Field(() => Boolean, { nullable: true, description: "Whether its favorites go to its parent, if it has one." })
  moveFavorites?: boolean | null;
}

@InputType({ description: "What to lock." })
export class LockPostInput {
  @Field(() => Int, { description: "Number of the post." })
  id!: number;

  @Field(() => [PostLock], { description: "What of it to lock: notes and rating as Builder, the status as Admin." })
  locks!: Lock[];
}

@InputType({ description: "What to unlock." })
export class UnlockPostInput {
  @Field(() => Int, { description: "Number of the post." })
  id!: number;

  @Field(() => [PostLock], { description: "What of it to unlock: notes and rating as Builder, the status as Admin." })
  locks!: Lock[];
}

@ObjectType({ description: "What is left of the post." })
export class ExpungePostPayload {
  @Field(() => Int, { description: "Number that the post had." })
  postId!: number;
}
