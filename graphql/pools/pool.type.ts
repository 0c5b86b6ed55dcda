import { Field, Int, ObjectType } from "type-graphql";
import { Bounded, IDS } from "../shared/bounded.js";
import { Post } from "../posts/post.type.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { PoolCategory } from "./pools.enums.js";

@ObjectType({ description: "What the viewer may do with a pool." })
export class PoolAbilities {
  @Field(() => Boolean, { description: "Edit name, description, posts and activity, and revert." })
  update!: boolean;

  @Field(() => Boolean, { description: "Change its category." })
  changeCategory!: boolean;

  @Field(() => Boolean, { description: "Delete and undelete it." })
  delete!: boolean;
}

@ObjectType({ description: "Posts that belong together, as a series in reading order or as a collection." })
export class Pool {
  @Field(() => Int, { description: "Number of the pool." })
  id!: number;

  @Field(() => String, { description: "The name, with underscores for blanks; unique ignoring case." })
  name!: string;

  @Field(() => Int, { description: "Who made it." })
  creatorId!: number;

  @Field(() => String, { description: "Name of who made it." })
  creatorName!: string;

  @Field(() => User, { nullable: true, description: "Who made it." })
  creator!: User | null;

  @Field(() => String, { description: "The description as it was written; whoever shows it must sanitise it." })
  description!: string;

  @Field(() => PoolCategory, { description: "Series or collection." })
  category!: string;

  @Bounded(IDS)
  @Field(() => [Int], { description: "Numbers of its posts, in reading order." })
  postIds!: number[];

  @Field(() => [Post], { description: "Its posts, in reading order; those of a page when it has many." })
  posts!: Post[];

  @Field(() => Int, { description: "How many posts it shows." })
  postCount!: number;

  @Field(() => Boolean, { description: "Whether it is still being added to." })
  isActive!: boolean;

  @Field(() => Boolean, { description: "Whether it is deleted." })
  isDeleted!: boolean;

  @Field(() => Date, { description: "When it was made." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => PoolAbilities, { description: "What the viewer may do with it." })
  viewerCan!: PoolAbilities;
}

export const PoolConnection = Connection(Pool, "Pool");
