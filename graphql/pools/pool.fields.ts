/** The fields of a pool that are more than a column, and the pools of a post. */
import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { mayChangeCategory, mayDelete, mayUpdate } from "../../src/resources/pools/pool.policy.js";
import type { PoolRecord } from "../../src/resources/pools/pool.records.js";
import type { PostRef } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { costOf, First, lengthOf, RECORDS } from "../shared/bounded.js";
import { User } from "../users/user.type.js";
import { Pool } from "./pool.type.js";
import { resolver, relation, records, abilities } from "../shared/operations.js";

export const PoolRelations = resolver(Pool, {
  creator: relation(() => User, "The user who created it."),

  viewerCan: abilities("a pool", {
    update: [mayUpdate, "Edit its name, description, posts and activity, and revert it."],
    changeCategory: [mayChangeCategory, "Change its category."],
    delete: [mayDelete, "Delete and restore it."],
  }),
});

@Resolver(() => Pool)
export class PoolFields {
  @FieldResolver(() => [Post], {
    complexity: costOf(RECORDS),
    description: "Its posts, in reading order, paginated.",
  })
  async posts(
    @Root() pool: PoolRecord,
    @First(RECORDS) first: number | null,
    @Arg("skip", () => Int, { nullable: true, description: "Number of records to skip; 0 by default." })
    skip: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PostRef[]> {
    const start = Math.max(skip ?? 0, 0);
    const ids = pool.postIds.slice(start, start + lengthOf(RECORDS, first));
    const posts = await Promise.all(ids.map((id) => loaders.post.load(id)));
    return posts.filter((post) => post !== null);
  }
}

export const PostPools = resolver(Post, {
  pools: records(() => Pool, "postPools", "The pools that it is in, without deleted ones."),
});
