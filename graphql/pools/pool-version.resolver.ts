import { User } from "../users/user.type.js";
import { PoolVersion, PoolVersionSearch } from "./pool-version.type.js";
import { Pool } from "./pool.type.js";
import { resolver, list, one, relation } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

export const PoolVersionResolver = resolver(PoolVersion, {
  poolVersions: list({
    of: PoolVersion,
    description: "Lists versions of pools, newest first.",
    allow: anybody,
    search: [PoolVersionSearch, "Which versions to list."],
    find: ({ board }, search, page) => board.poolVersions.search(search, page),
  }),

  poolVersion: one({
    of: PoolVersion,
    description: "One version of a pool.",
    id: "Number of the version.",
    allow: anybody,
  }),

  pool: relation(() => Pool, "The pool as it is now."),

  updater: relation(() => User, "Who made the edit."),
});
