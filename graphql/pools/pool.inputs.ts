import { AlsoNamed } from "../shared/lists.js";
import { PoolCategory, PoolOrder } from "./pools.enums.js";
import { int, string, boolean, oneOf, listOf, ints, allNullable, inputType, optionalInput } from "../shared/fields.js";

export const PoolSearch = optionalInput("PoolSearch", "Filters for the list of pools.", {
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
});

export const CreatePoolInput = inputType("CreatePoolInput", "A new pool.", {
  name: string("The name; spaces become underscores."),
  description: string("The description."),
  ...allNullable({
    category: oneOf(PoolCategory, "The category; series by default."),
    postIds: ints("Its posts, in reading order."),
    isActive: boolean("Whether posts are still being added; true by default."),
  }),
});

export const UpdatePoolInput = inputType("UpdatePoolInput", "An edit of a pool. Absent fields do not change.", {
  id: int("ID of the pool."),
  ...allNullable({
    name: string("The name; spaces become underscores."),
    description: string("The description."),
    category: oneOf(
      PoolCategory,
      "The category. Only Builders and above can change that of a pool with more than 100 posts.",
    ),
    postIds: ints("All its posts, in reading order; null removes them all."),
    isActive: boolean("Whether posts are still being added."),
  }),
});
