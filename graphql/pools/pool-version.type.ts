import { Bounded, IDS } from "../shared/bounded.js";
import { PoolCategory } from "./pools.enums.js";
import { int, string, boolean, date, oneOf, ints, allNullable, objectType, inputType } from "../shared/fields.js";

export const PoolVersion = objectType("PoolVersion", "A state that a pool had, and what the edit changed.", {
  id: int("Number of the version; pass it to `revertPool`."),
  poolId: int("Number of the pool."),
  version: int("1 for the first state, then one more with each edit of the pool."),
  updaterId: int("Who made the edit."),
  updaterName: string("Name of who made the edit."),
  postIds: ints("Numbers of the posts, in reading order.", Bounded(IDS)),
  addedPostIds: ints("Numbers of the posts that came in, as often as they did.", Bounded(IDS)),
  removedPostIds: ints("Numbers of the posts that went out, as often as they did.", Bounded(IDS)),
  name: string("The name."),
  nameChanged: boolean("Whether the edit changed the name."),
  description: string("The description."),
  descriptionChanged: boolean("Whether the edit changed the description."),
  category: oneOf(PoolCategory, "Series or collection."),
  isActive: boolean("Whether it was still being added to."),
  isDeleted: boolean("Whether it was deleted."),
  createdAt: date("When the edit was made."),
  updatedAt: date("When the version last changed; later than `createdAt` only where edits are merged."),
});

export const PoolVersionSearch = inputType(
  "PoolVersionSearch",
  "Which versions of pools to list.",
  allNullable({
    id: ints("Versions of these numbers."),
    poolId: ints("Versions of these pools."),
    updaterId: ints("Edits by these users."),
    updaterName: string("Edits by the user of this name."),
  }),
);
