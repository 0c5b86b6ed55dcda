import { Field, InputType, Int, ObjectType } from "type-graphql";
import { Bounded, IDS } from "../shared/bounded.js";
import type { PoolVersionSearch as SearchAttributes } from "../../src/resources/pools/pool.versions.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { Pool } from "./pool.type.js";
import { PoolCategory } from "./pools.enums.js";

@ObjectType({ description: "A state that a pool had, and what the edit changed." })
export class PoolVersion {
  @Field(() => Int, { description: "Number of the version; pass it to `revertPool`." })
  id!: number;

  @Field(() => Int, { description: "Number of the pool." })
  poolId!: number;

  @Field(() => Pool, { nullable: true, description: "The pool as it is now." })
  pool!: Pool | null;

  @Field(() => Int, { description: "1 for the first state, then one more with each edit of the pool." })
  version!: number;

  @Field(() => Int, { description: "Who made the edit." })
  updaterId!: number;

  @Field(() => String, { description: "Name of who made the edit." })
  updaterName!: string;

  @Field(() => User, { nullable: true, description: "Who made the edit." })
  updater!: User | null;

  @Bounded(IDS)
  @Field(() => [Int], { description: "Numbers of the posts, in reading order." })
  postIds!: number[];

  @Bounded(IDS)
  @Field(() => [Int], { description: "Numbers of the posts that came in, as often as they did." })
  addedPostIds!: number[];

  @Bounded(IDS)
  @Field(() => [Int], { description: "Numbers of the posts that went out, as often as they did." })
  removedPostIds!: number[];

  @Field(() => String, { description: "The name." })
  name!: string;

  @Field(() => Boolean, { description: "Whether the edit changed the name." })
  nameChanged!: boolean;

  @Field(() => String, { description: "The description." })
  description!: string;

  @Field(() => Boolean, { description: "Whether the edit changed the description." })
  descriptionChanged!: boolean;

  @Field(() => PoolCategory, { description: "Series or collection." })
  category!: string;

  @Field(() => Boolean, { description: "Whether it was still being added to." })
  isActive!: boolean;

  @Field(() => Boolean, { description: "Whether it was deleted." })
  isDeleted!: boolean;

  @Field(() => Date, { description: "When the edit was made." })
  createdAt!: Date;

  @Field(() => Date, {
    description: "When the version last changed; later than `createdAt` only where edits are merged.",
  })
  updatedAt!: Date;
}

export const PoolVersionConnection = Connection(PoolVersion, "PoolVersion");

@InputType({ description: "Which versions of pools to list." })
export class PoolVersionSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Versions of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Versions of these pools." })
  poolId?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Edits by these users." })
  updaterId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Edits by the user of this name." })
  updaterName?: string | null;
}
