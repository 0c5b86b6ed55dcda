import { Field, InputType, Int } from "type-graphql";
import type {
  ForumTopicEdit,
  ForumTopicSearch as SearchAttributes,
  NewForumTopic,
} from "../../src/resources/forum/forum-topic.service.js";
import { ForumCategory } from "./forum.enums.js";

@InputType({ description: "Which topics to list." })
export class ForumTopicSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Topics of these numbers." })
  id?: number[] | null;

  @Field(() => String, { nullable: true, description: "Words of the title; with `*` a pattern of the whole title." })
  titleMatches?: string | null;

  @Field(() => String, { nullable: true, description: "The whole title, exactly." })
  title?: string | null;

  @Field(() => [ForumCategory], { nullable: true, description: "Topics of these categories." })
  categoryId?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Topics opened by these users." })
  creatorId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Topics opened by the user of this name." })
  creatorName?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Topics that stay at the top, or that do not." })
  isSticky?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Topics that are locked, or that are not." })
  isLocked?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Topics that are deleted, or that are not. Unless asked for, only Janitors are shown deleted ones.",
  })
  isDeleted?: boolean | null;
}

@InputType({ description: "The post that a topic begins with." })
export class OriginalForumPostInput {
  @Field(() => String, { description: "The text." })
  body!: string;
}

@InputType({ description: "A new topic with its first post." })
export class CreateForumTopicInput implements NewForumTopic {
  @Field(() => String, { description: "The title." })
  title!: string;

  @Field(() => OriginalForumPostInput, { description: "The post that it begins with." })
  originalPostAttributes!: OriginalForumPostInput;

  @Field(() => ForumCategory, { nullable: true, description: "What it is about: `GENERAL` unless said otherwise." })
  categoryId?: number | null;

  @Field(() => Boolean, { nullable: true, description: "Whether it stays at the top, which takes a Moderator." })
  isSticky?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether it is locked, which takes a Moderator." })
  isLocked?: boolean | null;

  @Field(() => Int, { nullable: true, description: "The lowest level that sees it, which takes a Moderator." })
  minLevel?: number | null;
}

@InputType({ description: "An edit of a topic. What is absent stays as it is." })
export class UpdateForumTopicInput implements ForumTopicEdit {
  @Field(() => Int, { description: "Number of the topic." })
  id!: number;

  @Field(() => String, { nullable: true, description: "The title." })
  title?: string | null;

  @Field(() => ForumCategory, { nullable: true, description: "What it is about." })
  categoryId?: number | null;

  @Field(() => Boolean, { nullable: true, description: "Whether it stays at the top, which takes a Moderator." })
  isSticky?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether it is locked, which takes a Moderator." })
  isLocked?: boolean | null;

  @Field(() => Int, { nullable: true, description: "The lowest level that sees it, which takes a Moderator." })
  minLevel?: number | null;
}

@InputType({ description: "Which topic to delete." })
export class DeleteForumTopicInput {
  @Field(() => Int, { description: "Number of the topic." })
  id!: number;
}

@InputType({ description: "Which topic to bring back." })
export class UndeleteForumTopicInput {
  @Field(() => Int, { description: "Number of the topic." })
  id!: number;
}
