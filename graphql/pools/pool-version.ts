import { Bounded, IDS } from "../shared/bounded.js";
import { boolean, ints, oneOf, string } from "../shared/fields.js";
import { versionsOf } from "../shared/versions.js";
import { Pool } from "./pool.type.js";
import { PoolCategory } from "./pools.enums.js";

export const PoolVersions = versionsOf(Pool, {
  words: ["pool", "pools"],
  fields: {
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
  },
});
