import { type ClassType, Field, InputType, Int, ObjectType } from "type-graphql";
import { Post } from "./post.type.js";
import { PostLock } from "./post.enums.js";
import { int, string, boolean, oneOf, listOf, nullable, objectType, inputType } from "../shared/fields.js";

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

export const DeletePostInput = inputType("DeletePostInput", "Which post to delete, and why.", {
id: int("Number of the post."),
reason: string("Why, for everybody to read; at most 500 characters."),
moveFavorites: nullable(boolean("Whether its favorites go to its parent, if it has one.")),
});
export type DeletePostInput = InstanceType<typeof DeletePostInput>;

export const LockPostInput = inputType("LockPostInput", "What to lock.", {
id: int("Number of the post."),
locks: listOf(oneOf(PostLock, "What of it to lock: notes and rating as Builder, the status as Admin.")),
});
export type LockPostInput = InstanceType<typeof LockPostInput>;

export const UnlockPostInput = inputType("UnlockPostInput", "What to unlock.", {
id: int("Number of the post."),
locks: listOf(oneOf(PostLock, "What of it to unlock: notes and rating as Builder, the status as Admin.")),
});
export type UnlockPostInput = InstanceType<typeof UnlockPostInput>;

export const ExpungePostPayload = objectType("ExpungePostPayload", "What is left of the post.", {
postId: int("Number that the post had."),
});
export type ExpungePostPayload = InstanceType<typeof ExpungePostPayload>;
