import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { PoolRecord } from "../../src/resources/pools/pool.records.js";
import type { GraphQLContext } from "../context.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import {
  CreatePoolInput,
  CreatePoolPayload,
  DeletePoolInput,
  DeletePoolPayload,
  PoolSearch,
  RevertPoolInput,
  RevertPoolPayload,
  UndeletePoolInput,
  UndeletePoolPayload,
  UpdatePoolInput,
  UpdatePoolPayload,
} from "./pool.inputs.js";
import { Pool, PoolConnection } from "./pool.type.js";

@Resolver()
export class PoolResolver {
  @Public()
  @Query(() => PoolConnection, { description: "Lists pools, newest first.", complexity: listComplexity })
  async pools(
    @Arg("search", () => PoolSearch, { nullable: true, description: "Which pools to list." }) search: PoolSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() context: GraphQLContext,
  ): Promise<ConnectionOf<PoolRecord>> {
    return toConnection(await context.board.pools.search(context, search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => Pool, { nullable: true, description: "One pool, by number or by name; a deleted one too." })
  pool(
    @Arg("id", () => Int, { nullable: true, description: "Number of the pool." }) id: number | null,
    @Arg("name", () => String, { nullable: true, description: "Name of the pool, in any case." }) name: string | null,
    @Ctx() { board, loaders }: GraphQLContext,
  ): Promise<PoolRecord | null> {
    if (typeof id === "number") return loaders.pool.load(id);
    return name ? board.pools.byName(name) : Promise.resolve(null);
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => CreatePoolPayload, { description: "Makes a pool." })
  async createPool(
    @Arg("input", () => CreatePoolInput, { description: "The pool." }) input: CreatePoolInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ pool: PoolRecord }> {
    return { pool: await context.board.pools.create(context, input) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => UpdatePoolPayload, { description: "Edits a pool." })
  async updatePool(
    @Arg("input", () => UpdatePoolInput, { description: "The edit." }) { id, ...edit }: UpdatePoolInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ pool: PoolRecord }> {
    return { pool: await context.board.pools.update(context, id, edit) };
  }

  @RequireLevel(Level.Janitor)
  @Mutation(() => DeletePoolPayload, { description: "Deletes a pool; its posts and its history stay." })
  async deletePool(
    @Arg("input", () => DeletePoolInput, { description: "The pool." }) { id }: DeletePoolInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ pool: PoolRecord }> {
    return { pool: await context.board.pools.delete(context, id) };
  }

  @RequireLevel(Level.Janitor)
  @Mutation(() => UndeletePoolPayload, { description: "Brings a deleted pool back." })
  async undeletePool(
    @Arg("input", () => UndeletePoolInput, { description: "The pool." }) { id }: UndeletePoolInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ pool: PoolRecord }> {
    return { pool: await context.board.pools.undelete(context, id) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => RevertPoolPayload, {
    description: "Puts posts, name and description of a pool back to an earlier version.",
  })
  async revertPool(
    @Arg("input", () => RevertPoolInput, { description: "Pool and version." }) { id, versionId }: RevertPoolInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ pool: PoolRecord }> {
    return { pool: await context.board.pools.revert(context, id, versionId) };
  }
}
