import { Field, InputType, Int, ObjectType } from "type-graphql";
import { Bounded, NAMES } from "../shared/bounded.js";
import type { PostVersionSearch as SearchAttributes } from "../../src/resources/posts/post.versions.js";
import { Post } from "../posts/post.type.js";
import { Connection } from "../shared/connection.js";
import { Rating } from "../shared/enums.js";
import { AlsoNamed, SeparatedByBlanks } from "../shared/lists.js";
import { User } from "../users/user.type.js";

@ObjectType({ description: "A state that a post had, and what the edit that led to it changed." })
export class PostVersion {
  @Field(() => Int, { description: "Number of the version; pass it to `revertPost`." })
  id!: number;

  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => Post, { nullable: true, description: "The post as it is now." })
  post!: Post | null;

  @Field(() => Int, { description: "1 for the upload, then one more with each edit of the post." })
  version!: number;

  @Field(() => Int, { description: "Who made the edit." })
  updaterId!: number;

  @Field(() => String, { description: "Name of who made the edit." })
  updaterName!: string;

  @Field(() => User, { nullable: true, description: "Who made the edit." })
  updater!: User | null;

  @Field(() => String, { description: "The names of all tags of that state, separated by blanks." })
  tagString!: string;

  @Bounded(NAMES)
  @Field(() => [String], { description: "Names of the tags that the edit added." })
  addedTags!: string[];

  @Bounded(NAMES)
  @Field(() => [String], { description: "Names of the tags that the edit took away." })
  removedTags!: string[];

  @Bounded(NAMES)
  @Field(() => [String], { description: "Those of the added tags that the post has lost since." })
  obsoleteAddedTags!: string[];

  @Bounded(NAMES)
  @Field(() => [String], { description: "Those of the removed tags that the post has again." })
  obsoleteRemovedTags!: string[];

  @Bounded(NAMES)
  @Field(() => [String], { description: "Names of the tags that the edit left alone." })
  unchangedTags!: string[];

  @Field(() => Rating, { description: "The rating of that state." })
  rating!: string;

  @Field(() => Boolean, { description: "Whether the edit changed the rating." })
  ratingChanged!: boolean;

  @Field(() => Int, { nullable: true, description: "The parent of that state." })
  parentId!: number | null;

  @Field(() => Boolean, { description: "Whether the edit changed the parent." })
  parentChanged!: boolean;

  @Field(() => String, { description: "The source of that state." })
  source!: string;

  @Field(() => Boolean, { description: "Whether the edit changed the source." })
  sourceChanged!: boolean;

  @Field(() => Date, { description: "When the edit was made." })
  createdAt!: Date;

  @Field(() => Date, {
    description: "When the version was last changed; later than `createdAt` only where edits are merged.",
  })
  updatedAt!: Date;
}

export const PostVersionConnection = Connection(PostVersion, "PostVersion");

@InputType({ description: "Which versions of posts to list." })
export class PostVersionSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Versions of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Versions of these posts." })
  postId?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Edits by these users." })
  updaterId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Edits by the user of this name." })
  updaterName?: string | null;

  @Field(() => Int, { nullable: true, description: "The version of this number and those before it." })
  startId?: number | null;

  @SeparatedByBlanks()
  @AlsoNamed("all_changed_tags")
  @Field(() => [String], { nullable: true, description: "Edits that added or removed each of these tags." })
  changedTags?: string[] | null;

  @SeparatedByBlanks()
  @Field(() => [String], { nullable: true, description: "Edits that added all of these tags." })
  addedTagsIncludeAll?: string[] | null;

  @SeparatedByBlanks()
  @Field(() => [String], { nullable: true, description: "Edits that removed all of these tags." })
  removedTagsIncludeAll?: string[] | null;
}
