import { Field, Int, ObjectType } from "type-graphql";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { ForumCategory } from "./forum.enums.js";
import { ForumPost } from "./forum-post.type.js";

@ObjectType({ description: "What the viewer may do with a topic." })
export class ForumTopicAbilities {
  @Field(() => Boolean, { description: "Write a post in it." })
  reply!: boolean;

  @Field(() => Boolean, { description: "Change title and category." })
  update!: boolean;

  @Field(() => Boolean, { description: "Take it out of the lists." })
  delete!: boolean;

  @Field(() => Boolean, { description: "Bring it back." })
  undelete!: boolean;

  @Field(() => Boolean, { description: "Pin it, lock it, and set who sees it." })
  moderate!: boolean;
}

@ObjectType({ description: "A conversation in the forum. Topics above the viewer's level are not there." })
export class ForumTopic {
  @Field(() => Int, { description: "Number of the topic." })
  id!: number;

  @Field(() => String, { description: "The title." })
  title!: string;

  @Field(() => ForumCategory, { description: "What it is about." })
  categoryId!: number;

  @Field(() => Int, { description: "Who opened it." })
  creatorId!: number;

  @Field(() => String, { description: "Name of who opened it." })
  creatorName!: string;

  @Field(() => User, { nullable: true, description: "Who opened it." })
  creator!: User | null;

  @Field(() => Int, { description: "Who wrote in it or changed it last." })
  updaterId!: number;

  @Field(() => String, { description: "Name of who wrote in it or changed it last." })
  updaterName!: string;

  @Field(() => User, { nullable: true, description: "Who wrote in it or changed it last." })
  updater!: User | null;

  @Field(() => [ForumPost], {
    description: "Its first posts, oldest first; `forumPosts` with `topicId` lists them all.",
  })
  posts!: ForumPost[];

  @Field(() => Int, { description: "How many posts it has, the first and the deleted ones included." })
  responseCount!: number;

  @Field(() => Int, { description: "The lowest level that sees it; 0: everybody." })
  minLevel!: number;

  @Field(() => Boolean, { description: "True for topics that stay at the top of the list." })
  isSticky!: boolean;

  @Field(() => Boolean, { description: "True for topics in which only the staff goes on." })
  isLocked!: boolean;

  @Field(() => Boolean, { description: "True after it was deleted." })
  isDeleted!: boolean;

  @Field(() => Date, { description: "When it was opened." })
  createdAt!: Date;

  @Field(() => Date, { description: "When the newest post was written, or the topic itself was edited." })
  updatedAt!: Date;

  @Field(() => ForumTopicAbilities, { description: "What the viewer may do with it." })
  viewerCan!: ForumTopicAbilities;
}

export const ForumTopicConnection = Connection(ForumTopic, "ForumTopic");

@ObjectType({ description: "The new topic." })
export class CreateForumTopicPayload {
  @Field(() => ForumTopic, { description: "The new topic." })
  forumTopic!: ForumTopic;
}

@ObjectType({ description: "The topic after the edit." })
export class UpdateForumTopicPayload {
  @Field(() => ForumTopic, { description: "The topic after the edit." })
  forumTopic!: ForumTopic;
}

@ObjectType({ description: "The topic, now deleted." })
export class DeleteForumTopicPayload {
  @Field(() => ForumTopic, { description: "The topic, now deleted." })
  forumTopic!: ForumTopic;
}

@ObjectType({ description: "The topic, back in the lists." })
export class UndeleteForumTopicPayload {
  @Field(() => ForumTopic, { description: "The topic, back in the lists." })
  forumTopic!: ForumTopic;
}
