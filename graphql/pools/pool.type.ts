import { Bounded, IDS } from "../shared/bounded.js";
import { int, string, boolean, date, oneOf, ints, objectType, enumType } from "../shared/fields.js";

export const PoolCategory = enumType("PoolCategory", "Category of a pool.", {
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
