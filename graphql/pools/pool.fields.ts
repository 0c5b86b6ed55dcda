/** The fields of a pool that are more than a column, and the pools of a post. */
import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { mayChangeCategory, mayDelete, mayUpdate } from "../../src/policies/pool.policy.js";
import type { PoolRecord } from "../../src/services/pool.records.js";
import type { PostRecord } from "../../src/services/post.records.js";
import type { UserRecord } from "../../src/services/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { Pool, PoolAbilities } from "./pool.type.js";

const POSTS_DEFAULT = 20;
const POSTS_MAX = 100;
/** What the pools of a post cost, in pools. */
const POOLS = 10;

const clamp = (first: number | null | undefined): number => Math.min(Math.max(first ?? POSTS_DEFAULT, 1), POSTS_MAX);

const postsComplexity = (options: { args: { first?: number | null }; childComplexity: number }): number =>
  1 + clamp(options.args.first) * options.childComplexity;

@Resolver(() => Pool)
export class PoolFields {
  @FieldResolver(() => User, { nullable: true })
  creator(@Root() pool: PoolRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(pool.creatorId);
  }

  @FieldResolver(() => [Post], { complexity: postsComplexity })
  async posts(
    @Root() pool: PoolRecord,
    @Arg("first", () => Int, { nullable: true, description: "How many, at most 100; 20 by default." })
    first: number | null,
    @Arg("skip", () => Int, { nullable: true, description: "How many to pass over before; none by default." })
    skip: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PostRecord[]> {
    const start = Math.max(skip ?? 0, 0);
    const ids = pool.postIds.slice(start, start + clamp(first));
    const posts = await Promise.all(ids.map((id) => loaders.post.load(id)));
    return posts.filter((post) => post !== null);
  }

  @FieldResolver(() => PoolAbilities)
  viewerCan(@Root() pool: PoolRecord, @Ctx() { viewer }: GraphQLContext): PoolAbilities {
    return {
      update: mayUpdate(viewer, undefined),
      changeCategory: mayChangeCategory(viewer, pool),
      delete: mayDelete(viewer, undefined),
    };
  }
}

@Resolver(() => Post)
export class PostPools {
  @FieldResolver(() => [Pool], {
    description: "The pools that it is in, without deleted ones.",
    complexity: ({ childComplexity }) => POOLS * childComplexity,
  })
  pools(@Root() post: PostRecord, @Ctx() { loaders }: GraphQLContext): Promise<PoolRecord[]> {
    return loaders.postPools.load(post.id);
  }
}
