import { Field, InputType, Int, ObjectType } from "type-graphql";
import type {
  FlagCategory,
  FlagStatus,
  NewPostFlag,
  PostFlagSearch as SearchAttributes,
} from "../../src/resources/post-flags/post-flag.service.js";
import { Post } from "../posts/post.type.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { PostFlagCategory, PostFlagStatus } from "./post-flag.enums.js";

const SECRET = "known to the flagger and to Moderators, null to others";

@ObjectType({ description: "A request to delete a post, or the reason of a deletion." })
export class PostFlag {
  @Field(() => Int, { description: "Number of the flag." })
  id!: number;

  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => Post, { nullable: true, description: "The flagged post." })
  post!: Post | null;

  @Field(() => Int, { nullable: true, description: `Who flagged: ${SECRET}, and null when it was the board itself.` })
  creatorId!: number | null;

  @Field(() => String, { nullable: true, description: `Name of who flagged: ${SECRET}.` })
  creatorName!: string | null;

  @Field(() => User, { nullable: true, description: `Who flagged: ${SECRET}.` })
  creator!: User | null;

  @Field(() => String, { description: "Why the post should go." })
  reason!: string;

  @Field(() => Boolean, { description: "Whether the post was approved since." })
  isResolved!: boolean;

  @Field(() => Boolean, { description: "Whether it came with a deletion, of which it is the reason." })
  isDeletion!: boolean;

  @Field(() => PostFlagCategory, { description: "What kind of reason it is." })
  category!: FlagCategory;

  @Field(() => PostFlagStatus, { description: "What became of it." })
  status!: FlagStatus;

  @Field(() => Date, { description: "When the post was flagged." })
  createdAt!: Date;

  @Field(() => Date, { description: "When the flag last changed." })
  updatedAt!: Date;
}

export const PostFlagConnection = Connection(PostFlag, "PostFlag");

@InputType({ description: "Which flags to list." })
export class PostFlagSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Flags of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Flags of these posts." })
  postId?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Flags by these users; below Moderator only your own are found." })
  creatorId?: number[] | null;

  @Field(() => String, {
    nullable: true,
    description: "Flags by the user of this name; below Moderator only your own are found.",
  })
  creatorName?: string | null;

  @Field(() => String, { nullable: true, description: "Text in the reason; with `*` a pattern of the whole reason." })
  reasonMatches?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Flags whose post was approved since, or was not." })
  isResolved?: boolean | null;

  @Field(() => PostFlagCategory, { nullable: true, description: "Flags with this kind of reason." })
  category?: FlagCategory | null;
}

@InputType({ description: "A flag." })
export class CreatePostFlagInput implements NewPostFlag {
  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => String, { description: "Why the post should go; at most 500 characters." })
  reason!: string;
}

@ObjectType({ description: "The new flag." })
export class CreatePostFlagPayload {
  @Field(() => PostFlag, { description: "The new flag." })
  postFlag!: PostFlag;
}
