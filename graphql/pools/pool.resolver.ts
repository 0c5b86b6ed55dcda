import { revertTo } from "../shared/versions.js";
import { CreatePoolInput, PoolSearch, UpdatePoolInput } from "./pool.inputs.js";
import { Pool } from "./pool.type.js";
import { resolver, list, mutation, query } from "../shared/operations.js";
import { int, nested, nullable, string } from "../shared/fields.js";

export const PoolResolver = resolver(Pool, {
  pools: list({
    of: Pool,
    description: "Lists pools, newest first.",
    search: [PoolSearch, "Filters for the list of pools."],
    find: (context, search, page) => context.board.pools.search(context, search, page),
  }),

  pool: query({
    returns: nullable(nested(() => Pool, "One pool, by ID or by name, even if it is deleted.")),
    args: { id: nullable(int("ID of the pool.")), name: nullable(string("Name of the pool, ignoring case.")) },
    resolve: ({ board, loaders }, { id, name }) =>
      typeof id === "number" ? loaders.pool.load(id) : name ? board.pools.byName(name) : null,
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
    input: [{ id: int("ID of the pool.") }, "The pool to delete.", "The pool."],
    payload: [Pool, "The deleted pool."],
    resolve: (context, { id }) => context.board.pools.delete(context, id),
  }),

  undeletePool: mutation({
    description: "Restores a deleted pool.",
    input: [{ id: int("ID of the pool.") }, "The pool to restore.", "The pool."],
    payload: [Pool, "The restored pool."],
    resolve: (context, { id }) => context.board.pools.undelete(context, id),
  }),

  revertPool: mutation({
    description: "Reverts the posts, name and description of a pool to an earlier version.",
    limited: "recordEdit",
    input: [revertTo("pool"), "The version to revert to.", "The pool and the version."],
    payload: [Pool, "The pool after the revert."],
    resolve: (context, { id, versionId }) => context.board.pools.revert(context, id, versionId),
  }),
});
