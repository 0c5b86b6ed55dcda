import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { PoolRecord } from "../../src/resources/pools/pool.records.js";
import type { PoolVersionRecord } from "../../src/resources/pools/pool.versions.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { PoolVersion, PoolVersionConnection, PoolVersionSearch } from "./pool-version.type.js";
import { Pool } from "./pool.type.js";

@Resolver(() => PoolVersion)
export class PoolVersionResolver {
  @Public()
  @Query(() => PoolVersionConnection, {
    description: "Lists versions of pools, newest first.",
    complexity: listComplexity,
  })
  async poolVersions(
    @Arg("search", () => PoolVersionSearch, { nullable: true, description: "Which versions to list." })
    search: PoolVersionSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<PoolVersionRecord>> {
    return toConnection(await board.poolVersions.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => PoolVersion, { nullable: true, description: "One version of a pool." })
  poolVersion(
    @Arg("id", () => Int, { description: "Number of the version." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PoolVersionRecord | null> {
    return loaders.poolVersion.load(id);
  }

  @FieldResolver(() => Pool, { nullable: true, description: "The pool as it is now." })
  pool(@Root() version: PoolVersionRecord, @Ctx() { loaders }: GraphQLContext): Promise<PoolRecord | null> {
    return loaders.pool.load(version.poolId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who made the edit." })
  updater(@Root() version: PoolVersionRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(version.updaterId);
  }
}
