import { Field, InputType, Int, ObjectType } from "type-graphql";
import type {
  AppealStatus,
  NewPostAppeal,
  PostAppealSearch as SearchAttributes,
} from "../../src/resources/post-appeals/post-appeal.service.js";
import { Post } from "../posts/post.type.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { PostAppealStatus } from "./post-appeal.enums.js";

@ObjectType({ description: "A request to keep a post that was deleted or flagged." })
export class PostAppeal {
  @Field(() => Int, { description: "Number of the appeal." })
  id!: number;

  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => Post, { nullable: true, description: "The post." })
  post!: Post | null;

  @Field(() => Int, { description: "Number of who appealed." })
  creatorId!: number;

  @Field(() => String, { description: "Name of who appealed." })
  creatorName!: string;

  @Field(() => User, { nullable: true, description: "Who appealed." })
  creator!: User | null;

  @Field(() => String, { description: "Why the post should stay." })
  reason!: string;

  @Field(() => Boolean, { description: "Whether the post is neither deleted nor flagged any more." })
  isResolved!: boolean;

  @Field(() => PostAppealStatus, { description: "What became of it." })
  status!: AppealStatus;

  @Field(() => Date, { description: "When the appeal was made." })
  createdAt!: Date;

  @Field(() => Date, { description: "When the appeal last changed." })
  updatedAt!: Date;
}

export const PostAppealConnection = Connection(PostAppeal, "PostAppeal");

@InputType({ description: "Which appeals to list." })
export class PostAppealSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Appeals of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Appeals for these posts." })
  postId?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Appeals by these users." })
  creatorId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Appeals by the user of this name." })
  creatorName?: string | null;

  @Field(() => String, { nullable: true, description: "Text in the reason; with `*` a pattern of the whole reason." })
  reasonMatches?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Appeals for posts that are active again, or are not." })
  isResolved?: boolean | null;
}

@InputType({ description: "An appeal." })
export class CreatePostAppealInput implements NewPostAppeal {
  @Field(() => Int, { description: "Number of the post, which is deleted or flagged." })
  postId!: number;

  @Field(() => String, { description: "Why the post should stay; at most 500 characters." })
  reason!: string;
}

@ObjectType({ description: "The new appeal." })
export class CreatePostAppealPayload {
  @Field(() => PostAppeal, { description: "The new appeal." })
  postAppeal!: PostAppeal;
}
