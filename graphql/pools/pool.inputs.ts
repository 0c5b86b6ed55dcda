import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { PoolCategory as CategoryWord } from "../../src/resources/pools/pool.records.js";
import type {
  NewPool,
  PoolEdit,
  PoolOrder as OrderWord,
  PoolSearch as SearchAttributes,
} from "../../src/resources/pools/pool.service.js";
import { AlsoNamed } from "../shared/lists.js";
import { Pool } from "./pool.type.js";
import { PoolCategory, PoolOrder } from "./pools.enums.js";

@InputType({ description: "Which pools to list." })
export class PoolSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Pools of these numbers." })
  id?: number[] | null;

  @AlsoNamed("name_contains")
  @Field(() => String, { nullable: true, description: "Part of the name; with `*` a pattern of the whole name." })
  nameMatches?: string | null;

  @Field(() => String, { nullable: true, description: "The pool of exactly this name, in any case." })
  name?: string | null;

  @Field(() => String, { nullable: true, description: "Part of the description; `*` stands for anything." })
  descriptionMatches?: string | null;

  @Field(() => String, { nullable: true, description: "Pools made by the user of this name." })
  creatorName?: string | null;

  @Field(() => [Int], { nullable: true, description: "Pools made by these users." })
  creatorId?: number[] | null;

  @Field(() => Boolean, { nullable: true, description: "Pools that are still being added to, or not." })
  isActive?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Pools that are deleted, or not. By default Janitors see both, others those that are not.",
  })
  isDeleted?: boolean | null;

  @Field(() => [PoolCategory], { nullable: true, description: "Pools of these categories." })
  category?: CategoryWord[] | null;

  @Field(() => [Int], { nullable: true, description: "Pools that hold all of these posts." })
  postIdsIncludeAll?: number[] | null;

  @Field(() => PoolOrder, { nullable: true, description: "The order; newest first by default." })
  order?: OrderWord | null;
}

@InputType({ description: "A new pool." })
export class CreatePoolInput implements NewPool {
  @Field(() => String, { description: "The name; blanks become underscores." })
  name!: string;

  @Field(() => String, { description: "The description." })
  description!: string;

  @Field(() => PoolCategory, { nullable: true, description: "Series by default." })
  category?: CategoryWord | null;

  @Field(() => [Int], { nullable: true, description: "Its posts, in reading order." })
  postIds?: number[] | null;

  @Field(() => Boolean, { nullable: true, description: "Whether it is still being added to; yes by default." })
  isActive?: boolean | null;
}

@InputType({ description: "An edit of a pool. What is absent stays as it is." })
export class UpdatePoolInput implements PoolEdit {
  @Field(() => Int, { description: "Number of the pool." })
  id!: number;

  @Field(() => String, { nullable: true, description: "The name; blanks become underscores." })
  name?: string | null;

  @Field(() => String, { nullable: true, description: "The description." })
  description?: string | null;

  @Field(() => PoolCategory, {
    nullable: true,
    description: "The category; of pools with more than 100 posts it is changed by Builders only.",
  })
  category?: CategoryWord | null;

  @Field(() => [Int], { nullable: true, description: "All its posts, in reading order; null takes them all away." })
  postIds?: number[] | null;

  @Field(() => Boolean, { nullable: true, description: "Whether it is still being added to." })
  isActive?: boolean | null;
}

@InputType({ description: "Which pool to delete." })
export class DeletePoolInput {
  @Field(() => Int, { description: "Number of the pool." })
  id!: number;
}

@InputType({ description: "Which pool to bring back." })
export class UndeletePoolInput {
  @Field(() => Int, { description: "Number of the pool." })
  id!: number;
}

@InputType({ description: "Which version a pool goes back to." })
export class RevertPoolInput {
  @Field(() => Int, { description: "Number of the pool." })
  id!: number;

  @Field(() => Int, { description: "Number of the version, which must be one of this pool." })
  versionId!: number;
}

@ObjectType({ description: "The new pool." })
export class CreatePoolPayload {
  @Field(() => Pool, { description: "The new pool." })
  pool!: Pool;
}

@ObjectType({ description: "The pool after the edit." })
export class UpdatePoolPayload {
  @Field(() => Pool, { description: "The pool after the edit." })
  pool!: Pool;
}

@ObjectType({ description: "The pool, now deleted." })
export class DeletePoolPayload {
  @Field(() => Pool, { description: "The pool, now deleted." })
  pool!: Pool;
}

@ObjectType({ description: "The pool, deleted no more." })
export class UndeletePoolPayload {
  @Field(() => Pool, { description: "The pool, deleted no more." })
  pool!: Pool;
}

@ObjectType({ description: "The pool after going back." })
export class RevertPoolPayload {
  @Field(() => Pool, { description: "The pool after going back." })
  pool!: Pool;
}
