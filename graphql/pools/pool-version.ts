import { Bounded, IDS } from "../shared/bounded.js";
import { boolean, ints, oneOf, string } from "../shared/fields.js";
import { versionsOf } from "../shared/versions.js";
import { Pool } from "./pool.type.js";
import { PoolCategory } from "./pools.enums.js";

export const PoolVersions = versionsOf(Pool, {
  words: ["pool", "pools"],
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
