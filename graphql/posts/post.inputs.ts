import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { PostEdit } from "../../src/resources/posts/post.service.js";
import { Rating, VoteScore } from "../shared/enums.js";
import { Post } from "./post.type.js";

@InputType({ description: "An edit of a post. What is absent stays as it is." })
export class UpdatePostInput implements PostEdit {
  @Field(() => Int, { description: "Number of the post." })
  id!: number;

  @Field(() => String, {
    nullable: true,
    description:
      "All tags, separated by blanks; also `-tag`, `artist:name`, `rating:s`, `parent:1`, `source:url`, `pool:1`, " +
      "`newpool:name`, `fav:me`, `upvote:me`, `child:2`.",
  })
  tagString?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The tags that you saw before the edit, so that others' edits in between are kept.",
  })
  oldTagString?: string | null;

  @Field(() => Rating, { nullable: true, description: "How explicit it is." })
  rating?: string | null;

  @Field(() => Rating, { nullable: true, description: "The rating that you saw." })
  oldRating?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Where it comes from. Of a URL, the file is taken over when you uploaded the post or are a Builder.",
  })
  source?: string | null;

  @Field(() => String, { nullable: true, description: "The source that you saw." })
  oldSource?: string | null;

  @Field(() => Int, { nullable: true, description: "Number of the parent post; null takes it away." })
  parentId?: number | null;

  @Field(() => Int, { nullable: true, description: "The parent that you saw." })
  oldParentId?: number | null;

  @Field(() => Boolean, { nullable: true, description: "Lock the notes (Builder)." })
  isNoteLocked?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Lock the rating (Builder)." })
  isRatingLocked?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Lock the status (Admin)." })
  isStatusLocked?: boolean | null;
}

@ObjectType({ description: "The post after the edit." })
export class UpdatePostPayload {
  @Field(() => Post, { description: "The post after the edit." })
  post!: Post;
}

@InputType({ description: "Which version a post goes back to." })
export class RevertPostInput {
  @Field(() => Int, { description: "Number of the post." })
  id!: number;

  @Field(() => Int, { description: "Number of the version, which must be one of this post." })
  versionId!: number;
}

@ObjectType({ description: "The post after going back." })
export class RevertPostPayload {
  @Field(() => Post, { description: "The post after going back." })
  post!: Post;
}

@InputType({ description: "A vote on a post." })
export class CreatePostVoteInput {
  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => VoteScore, { description: "Up or down." })
  score!: "up" | "down";
}

@InputType({ description: "Which vote to take back." })
export class DeletePostVoteInput {
  @Field(() => Int, { description: "Number of the post." })
  postId!: number;
}

@ObjectType({ description: "A user's vote on a post." })
export class PostVote {
  @Field(() => Int, { description: "Number of the vote." })
  id!: number;

  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => Int, { description: "Who voted." })
  userId!: number;

  @Field(() => Int, { description: "1 or -1." })
  score!: number;

  @Field(() => Date, { description: "When the vote was given." })
  createdAt!: Date;

  @Field(() => Date, { description: "When the vote was last changed." })
  updatedAt!: Date;
}

@ObjectType({ description: "The vote, and the post with its new score." })
export class CreatePostVotePayload {
  @Field(() => PostVote, { description: "The vote." })
  vote!: PostVote;

  @Field(() => Post, { nullable: true, description: "The post with its new score." })
  post!: Post | null;
}

@ObjectType({ description: "The vote that was taken back, and the post with its new score." })
export class DeletePostVotePayload {
  @Field(() => PostVote, { description: "The vote as it was." })
  vote!: PostVote;

  @Field(() => Post, { nullable: true, description: "The post with its new score." })
  post!: Post | null;
}
