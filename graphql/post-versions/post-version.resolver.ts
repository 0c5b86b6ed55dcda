import { without } from "../../src/lib/lists.js";
import type { Version } from "../../src/resources/histories.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { Bounded, NAMES } from "../shared/bounded.js";
import { Rating } from "../shared/enums.js";
import {
  AlsoNamed,
  boolean,
  Costing,
  int,
  nullable,
  oneOf,
  SeparatedByBlanks,
  string,
  strings,
} from "../shared/fields.js";
import { type Member, resolversOf } from "../shared/operations.js";
import { computed, records } from "../shared/record-fields.js";
import { versionsOf } from "../shared/versions.js";

type PostVersion = Version<"post">;
type Ids = readonly number[];

/** Cost of the tags of a version, whose names are not cached, unlike those of posts. */
const TAG_STRING = 25;

/** The sorted names of those of the version's tags that have these ids. */
async function names(version: PostVersion, { loaders }: GraphQLContext, ids: Ids): Promise<string[]> {
  const wanted = new Set(ids);
  const tags = await loaders.postVersionTags.load(version);
  return tags.flatMap(({ id, name }) => (wanted.has(id) ? name : []));
}

/** A field with the names of some of a version's tags. */
const namesBy = (description: string, idsOf: (version: PostVersion) => Ids): Member =>
  computed(strings(description, Bounded(NAMES)), (version: PostVersion, context) =>
    names(version, context, idsOf(version)),
  );

function inBoth(some: Ids, others: Ids): number[] {
  const known = new Set(others);
  return some.filter((id) => known.has(id));
}

const PostVersions = versionsOf(Post, {
  fields: {
    rating: oneOf(Rating, "The rating in this version."),
    ratingChanged: boolean("Whether the edit changed the rating."),
    parentId: nullable(int("The parent post in this version.")),
    parentChanged: boolean("Whether the edit changed the parent."),
    source: string("The source in this version."),
    sourceChanged: boolean("Whether the edit changed the source."),
  },
  search: {
    startId: int("The version with this ID and earlier ones."),
    changedTags: strings(
      "Edits that added or removed each of these tags.",
      SeparatedByBlanks(),
      AlsoNamed("all_changed_tags"),
    ),
    addedTagsIncludeAll: strings("Edits that added all of these tags.", SeparatedByBlanks()),
    removedTagsIncludeAll: strings("Edits that removed all of these tags.", SeparatedByBlanks()),
  },
  members: {
    tagString: computed(
      string("The names of all tags in this version, separated by spaces.", Costing(TAG_STRING)),
      async (version: PostVersion, context) => (await names(version, context, version.tagIds)).join(" "),
    ),

    addedTags: namesBy("Names of the tags that the edit added.", ({ addedTagIds }) => addedTagIds),
    removedTags: namesBy("Names of the tags that the edit removed.", ({ removedTagIds }) => removedTagIds),
    obsoleteAddedTags: namesBy("Added tags that the post no longer has.", ({ addedTagIds, currentTagIds }) =>
      without(addedTagIds, currentTagIds),
    ),
    obsoleteRemovedTags: namesBy("Removed tags that the post has again.", ({ removedTagIds, currentTagIds }) =>
      inBoth(removedTagIds, currentTagIds),
    ),
    unchangedTags: namesBy("Names of the tags that the edit did not change.", ({ tagIds, addedTagIds }) =>
      without(tagIds, addedTagIds),
    ),
  },
});

resolversOf(Post, {
  versions: records(() => PostVersions, "postVersions", "Its newest versions, newest first."),
});
