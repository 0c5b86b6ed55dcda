import { Bounded, IDS } from "../shared/bounded.js";
import { PoolCategory } from "./pools.enums.js";
import { int, string, boolean, date, oneOf, ints, objectType } from "../shared/fields.js";

export const Pool = objectType("Pool", "Posts that belong together, as a series in reading order or as a collection.", {
  id: int("Number of the pool."),
  name: string("The name, with underscores for blanks; unique ignoring case."),
  creatorId: int("Who made it."),
  creatorName: string("Name of who made it."),
  description: string("The description as it was written; whoever shows it must sanitise it."),
  category: oneOf(PoolCategory, "Series or collection."),
  postIds: ints("Numbers of its posts, in reading order.", Bounded(IDS)),
  postCount: int("How many posts it shows."),
  isActive: boolean("Whether it is still being added to."),
  isDeleted: boolean("Whether it is deleted."),
  createdAt: date("When it was made."),
  updatedAt: date("When it last changed."),
});
