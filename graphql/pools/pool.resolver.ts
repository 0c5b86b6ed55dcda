import { Arg, Ctx, Int, Query, Resolver } from "type-graphql";
import type { PoolRecord } from "../../src/resources/pools/pool.records.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import {
  CreatePoolInput,
  DeletePoolInput,
  PoolSearch,
  RevertPoolInput,
  UndeletePoolInput,
  UpdatePoolInput,
} from "./pool.inputs.js";
import { Pool } from "./pool.type.js";
import { resolver, list, mutation } from "../shared/operations.js";

export const PoolOperations = resolver(Pool, {
  pools: list({
    of: Pool,
    description: "Lists pools, newest first.",
    search: [PoolSearch, "Filters for the list of pools."],
    find: (context, search, page) => context.board.pools.search(context, search, page),
  }),

  createPool: mutation({
    description: "Creates a pool.",
    limited: "recordEdit",
    input: [CreatePoolInput, "The pool."],
    payload: [Pool, "The new pool."],
    resolve: (context, input) => context.board.pools.create(context, input),
  }),

  updatePool: mutation({
    description: "Edits a pool.",
    limited: "recordEdit",
    input: [UpdatePoolInput, "The edit."],
    payload: [Pool, "The pool after the edit."],
    resolve: (context, { id, ...edit }) => context.board.pools.update(context, id, edit),
  }),

  deletePool: mutation({
    description: "Deletes a pool and keeps its posts and its history.",
    input: [DeletePoolInput, "The pool."],
    payload: [Pool, "The deleted pool."],
    resolve: (context, { id }) => context.board.pools.delete(context, id),
  }),

  undeletePool: mutation({
    description: "Restores a deleted pool.",
    input: [UndeletePoolInput, "The pool."],
    payload: [Pool, "The restored pool."],
    resolve: (context, { id }) => context.board.pools.undelete(context, id),
  }),

  revertPool: mutation({
    description: "Reverts the posts, name and description of a pool to an earlier version.",
    limited: "recordEdit",
    input: [RevertPoolInput, "The pool and the version."],
    payload: [Pool, "The pool after the revert."],
    resolve: (context, { id, versionId }) => context.board.pools.revert(context, id, versionId),
  }),
});

@Resolver()
export class PoolResolver {
  @Gated()
  @Query(() => Pool, { nullable: true, description: "One pool, by ID or by name, even if it is deleted." })
  pool(
    @Arg("id", () => Int, { nullable: true, description: "ID of the pool." }) id: number | null,
    @Arg("name", () => String, { nullable: true, description: "Name of the pool, ignoring case." }) name: string | null,
    @Ctx() { board, loaders }: GraphQLContext,
  ): Promise<PoolRecord | null> {
    if (typeof id === "number") return loaders.pool.load(id);
    return name ? board.pools.byName(name) : Promise.resolve(null);
  }
}
