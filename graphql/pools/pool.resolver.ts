import { mayChangeCategory, mayDelete, mayEdit } from "../../src/resources/pools/pool.policy.js";
import type { PoolRecord } from "../../src/resources/pools/pool.records.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import { Post } from "../posts/post.type.js";
import { Bounded, IDS, RECORDS } from "../shared/bounded.js";
import { editsOf } from "../shared/edits.js";
import {
  allNullable,
  AlsoNamed,
  boolean,
  date,
  enumType,
  int,
  ints,
  listOf,
  nested,
  nullable,
  objectType,
  oneOf,
  string,
} from "../shared/fields.js";
import { list, query, resolversOf } from "../shared/operations.js";
import { abilities, computedList, records, relation, rendered } from "../shared/record-fields.js";
import { versionsOf } from "../shared/versions.js";
import { User } from "../users/user.type.js";

const PoolCategory = enumType("PoolCategory", "Category of a pool.", {
  SERIES: ["series", "A series, read in order; may contain a post more than once."],
  COLLECTION: ["collection", "A collection; each post at most once."],
});

export const Pool = objectType("Pool", "A group of posts: a series in reading order or a collection.", {
  id: int("ID of the pool."),
  name: string("The name, with underscores instead of spaces; unique ignoring case."),
  creatorId: int("The user who created it."),
  creatorName: string("Name of the user who created it."),
  description: string("The description as written; clients must sanitize it before display."),
  category: oneOf(PoolCategory, "Series or collection."),
  postIds: ints("IDs of its posts, in reading order.", Bounded(IDS)),
  postCount: int("Number of posts."),
  isActive: boolean("Whether posts are still being added."),
  isDeleted: boolean("Whether it is deleted."),
  createdAt: date("When it was created."),
  updatedAt: date("When it was last updated."),
});

const PoolOrder = enumType("PoolOrder", "Sort orders of pools.", {
  NAME: ["name", "By name, ignoring case."],
  CREATED_AT: ["created_at", "Newest first."],
  POST_COUNT: ["post_count", "Most posts first."],
  DATE: ["date", "Most recently edited first."],
});

const edits = editsOf(Pool, ({ pools }) => pools);

resolversOf(Pool, {
  pools: list({
    of: Pool,
    description: "Lists pools, newest first.",
    search: {
      id: ints("Pools with these IDs."),
      nameMatches: string(
        "Text contained in the name; with `*`, a pattern that matches the whole name.",
        AlsoNamed("name_contains"),
      ),
      name: string("The pool with exactly this name, ignoring case."),
      descriptionMatches: string("Text contained in the description; `*` matches anything."),
      creatorName: string("Pools created by the user with this name."),
      creatorId: ints("Pools created by these users."),
      isActive: boolean("Only active (true) or finished (false) pools."),
      isDeleted: boolean(
        "Only deleted (true) or existing (false) pools. By default, deleted ones are listed only for Janitors and above.",
      ),
      category: listOf(oneOf(PoolCategory, "Pools of these categories.")),
      postIdsIncludeAll: ints("Pools that contain all of these posts."),
      order: oneOf(PoolOrder, "The sort order; newest first by default."),
    },
    find: (context, search, page) => context.board.pools.search(context, search, page),
  }),

  pool: query({
    returns: nullable(nested(() => Pool, "One pool, by ID or by name, even if it is deleted.")),
    args: { id: nullable(int("ID of the pool.")), name: nullable(string("Name of the pool, ignoring case.")) },
    resolve: ({ board, loaders }, { id, name }) =>
      typeof id === "number" ? loaders.pool.load(id) : name ? board.pools.byName(name) : null,
  }),

  createPool: edits.create("Creates a pool.", {
    name: string("The name; spaces become underscores."),
    description: string("The description."),
    ...allNullable({
      category: oneOf(PoolCategory, "The category; series by default."),
      postIds: ints("Its posts, in reading order."),
      isActive: boolean("Whether posts are still being added; true by default."),
    }),
  }),
  updatePool: edits.update(
    "Edits a pool.",
    allNullable({
      name: string("The name; spaces become underscores."),
      description: string("The description."),
      category: oneOf(
        PoolCategory,
        "The category. Only Builders and above can change that of a pool with more than 100 posts.",
      ),
      postIds: ints("All its posts, in reading order; null removes them all."),
      isActive: boolean("Whether posts are still being added."),
    }),
  ),
  deletePool: edits.act("delete", "Deletes a pool and keeps its posts and its history.", null),
  undeletePool: edits.act("undelete", "Restores a deleted pool.", null),
  revertPool: edits.revert("Reverts the posts, name and description of a pool to an earlier version."),

  posts: computedList(
    () => Post,
    RECORDS,
    "Its posts, in reading order, paginated.",
    ({ postIds }: PoolRecord, { loaders }, length, { skip }) => {
      const start = Math.max(skip ?? 0, 0);
      return Promise.all(postIds.slice(start, start + length).map((id) => loaders.post.load(id)));
    },
    { args: { skip: nullable(int("Number of records to skip; 0 by default.")) } },
  ),
  creator: relation(() => User, "The user who created it."),
  descriptionHtml: rendered("The description as sanitized HTML.", ({ description }: PoolRecord) => description),

  viewerCan: abilities("a pool", {
    update: [mayEdit, "Edit its name, description, posts and activity, and revert it."],
    changeCategory: [mayChangeCategory, "Change its category."],
    delete: [mayDelete, "Delete and restore it."],
  }),
});

versionsOf(Pool, {
  fields: {
    postIds: ints("IDs of the posts, in reading order.", Bounded(IDS)),
    addedPostIds: ints("IDs of the added posts, once for each time that they were added.", Bounded(IDS)),
    removedPostIds: ints("IDs of the removed posts, once for each time that they were removed.", Bounded(IDS)),
    name: string("The name."),
    nameChanged: boolean("Whether the edit changed the name."),
    description: string("The description."),
    descriptionChanged: boolean("Whether the edit changed the description."),
    category: oneOf(PoolCategory, "Series or collection."),
    isActive: boolean("Whether posts were still being added."),
    isDeleted: boolean("Whether it was deleted."),
  },
});

resolversOf(Post, {
  pools: records(() => Pool, "postPools", "The pools that it is in, without deleted ones.", {
    hasNone: ({ poolTokens }: PostRecord) => poolTokens.length === 0,
  }),
});
