import { Field, InputType, Int, ObjectType } from "type-graphql";
import type {
  ForumPostSearch as SearchAttributes,
  NewForumPost,
} from "../../src/resources/forum/forum-post.service.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { ForumCategory } from "./forum.enums.js";
import { ForumTopic } from "./forum-topic.type.js";

@ObjectType({ description: "What the viewer may do with a post of the forum." })
export class ForumPostAbilities {
  @Field(() => Boolean, { description: "Change its text." })
  update!: boolean;

  @Field(() => Boolean, { description: "Delete it." })
  delete!: boolean;

  @Field(() => Boolean, { description: "Bring it back." })
  undelete!: boolean;
}

@ObjectType({ description: "A post of the forum. It is seen by whoever sees its topic." })
export class ForumPost {
  @Field(() => Int, { description: "Number of the post." })
  id!: number;

  @Field(() => Int, { description: "Number of the topic." })
  topicId!: number;

  @Field(() => ForumTopic, { nullable: true, description: "The topic." })
  topic!: unknown;

  @Field(() => Int, { description: "Who wrote it." })
  creatorId!: number;

  @Field(() => String, { description: "Name of who wrote it." })
  creatorName!: string;

  @Field(() => User, { nullable: true, description: "Who wrote it." })
  creator!: User | null;

  @Field(() => Int, { description: "Who changed it last." })
  updaterId!: number;

  @Field(() => String, { description: "Name of who changed it last." })
  updaterName!: string;

  @Field(() => User, { nullable: true, description: "Who changed it last." })
  updater!: User | null;

  @Field(() => String, { description: "The text as it was written; whoever shows it must sanitise it." })
  body!: string;

  @Field(() => Boolean, { description: "True after it was deleted." })
  isDeleted!: boolean;

  @Field(() => Date, { description: "When it was written." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => ForumPostAbilities, { description: "What the viewer may do with it." })
  viewerCan!: ForumPostAbilities;
}

export const ForumPostConnection = Connection(ForumPost, "ForumPost");

@InputType({ description: "Which posts of the forum to list." })
export class ForumPostSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Posts of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Posts written by these users." })
  creatorId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Posts written by the user of this name." })
  creatorName?: string | null;

  @Field(() => [Int], { nullable: true, description: "Posts of these topics." })
  topicId?: number[] | null;

  @Field(() => String, {
    nullable: true,
    description: "Words of the topic's title; with `*` a pattern of the whole title.",
  })
  topicTitleMatches?: string | null;

  @Field(() => [ForumCategory], { nullable: true, description: "Posts of topics of these categories." })
  topicCategoryId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Words of the text; with `*` a pattern of the whole text." })
  bodyMatches?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Posts that are deleted, or that are not. Unless asked for, only Janitors are shown deleted ones.",
  })
  isDeleted?: boolean | null;
}

@InputType({ description: "A new post of the forum." })
export class CreateForumPostInput implements NewForumPost {
  @Field(() => Int, { description: "Number of the topic." })
  topicId!: number;

  @Field(() => String, { description: "The text." })
  body!: string;
}

@InputType({ description: "An edit of a post of the forum." })
export class UpdateForumPostInput {
  @Field(() => Int, { description: "Number of the post." })
  id!: number;

  @Field(() => String, { nullable: true, description: "The text; absent: as it is." })
  body?: string | null;
}

@InputType({ description: "Which post of the forum to delete." })
export class DeleteForumPostInput {
  @Field(() => Int, { description: "Number of the post." })
  id!: number;
}

@InputType({ description: "Which post of the forum to bring back." })
export class UndeleteForumPostInput {
  @Field(() => Int, { description: "Number of the post." })
  id!: number;
}

@ObjectType({ description: "The new post." })
export class CreateForumPostPayload {
  @Field(() => ForumPost, { description: "The new post." })
  forumPost!: ForumPost;
}

@ObjectType({ description: "The post after the edit." })
export class UpdateForumPostPayload {
  @Field(() => ForumPost, { description: "The post after the edit." })
  forumPost!: ForumPost;
}

@ObjectType({ description: "The post, now deleted." })
export class DeleteForumPostPayload {
  @Field(() => ForumPost, { description: "The post, now deleted." })
  forumPost!: ForumPost;
}

@ObjectType({ description: "The post, back in its topic." })
export class UndeleteForumPostPayload {
  @Field(() => ForumPost, { description: "The post, back in its topic." })
  forumPost!: ForumPost;
}
