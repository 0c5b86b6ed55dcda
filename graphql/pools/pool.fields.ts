/** The fields of a pool that are more than a column, and the pools of a post. */
import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { mayChangeCategory, mayDelete, mayUpdate } from "../../src/resources/pools/pool.policy.js";
import type { PoolRecord } from "../../src/resources/pools/pool.records.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { costOf, First, lengthOf, RECORDS, wanted } from "../shared/bounded.js";
import { User } from "../users/user.type.js";
import { Pool, PoolAbilities } from "./pool.type.js";

@Resolver(() => Pool)
export class PoolFields {
  @FieldResolver(() => User, { nullable: true, description: "Who made it." })
  creator(@Root() pool: PoolRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(pool.creatorId);
  }

  @FieldResolver(() => [Post], { complexity: costOf(RECORDS), description: "Its posts, in reading order; those of a page when it has many." })
  async posts(
    @Root() pool: PoolRecord,
    @First(RECORDS) first: number | null,
    @Arg("skip", () => Int, { nullable: true, description: "How many to pass over before; none by default." })
    skip: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PostRecord[]> {
    const start = Math.max(skip ?? 0, 0);
    const ids = pool.postIds.slice(start, start + lengthOf(RECORDS, first));
    const posts = await Promise.all(ids.map((id) => loaders.post.load(id)));
    return posts.filter((post) => post !== null);
  }

  @FieldResolver(() => PoolAbilities, { description: "What the viewer may do with it." })
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
    complexity: costOf(RECORDS),
  })
  pools(
    @Root() post: PostRecord,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PoolRecord[]> {
    return loaders.postPools.load(wanted(RECORDS, post, first));
  }
}
