import { AlsoNamed } from "../shared/lists.js";
import { PoolCategory, PoolOrder } from "./pools.enums.js";
import { int, string, boolean, oneOf, listOf, ints, allNullable, inputType, idInput } from "../shared/fields.js";

export const PoolSearch = inputType(
  "PoolSearch",
  "Which pools to list.",
  allNullable({
    id: ints("Pools of these numbers."),
    nameMatches: string("Part of the name; with `*` a pattern of the whole name.", AlsoNamed("name_contains")),
    name: string("The pool of exactly this name, in any case."),
    descriptionMatches: string("Part of the description; `*` stands for anything."),
    creatorName: string("Pools made by the user of this name."),
    creatorId: ints("Pools made by these users."),
    isActive: boolean("Pools that are still being added to, or not."),
    isDeleted: boolean("Pools that are deleted, or not. By default Janitors see both, others those that are not."),
    category: listOf(oneOf(PoolCategory, "Pools of these categories.")),
    postIdsIncludeAll: ints("Pools that hold all of these posts."),
    order: oneOf(PoolOrder, "The order; newest first by default."),
  }),
);

export const CreatePoolInput = inputType("CreatePoolInput", "A new pool.", {
  name: string("The name; blanks become underscores."),
  description: string("The description."),
  ...allNullable({
    category: oneOf(PoolCategory, "Series by default."),
    postIds: ints("Its posts, in reading order."),
    isActive: boolean("Whether it is still being added to; yes by default."),
  }),
});

export const UpdatePoolInput = inputType("UpdatePoolInput", "An edit of a pool. What is absent stays as it is.", {
  id: int("Number of the pool."),
  ...allNullable({
    name: string("The name; blanks become underscores."),
    description: string("The description."),
    category: oneOf(PoolCategory, "The category; of pools with more than 100 posts it is changed by Builders only."),
    postIds: ints("All its posts, in reading order; null takes them all away."),
    isActive: boolean("Whether it is still being added to."),
  }),
});

export const DeletePoolInput = idInput("DeletePoolInput", "Which pool to delete.", "Number of the pool.");

export const UndeletePoolInput = idInput("UndeletePoolInput", "Which pool to bring back.", "Number of the pool.");

export const RevertPoolInput = inputType("RevertPoolInput", "Which version a pool goes back to.", {
  id: int("Number of the pool."),
  versionId: int("Number of the version, which must be one of this pool."),
});
