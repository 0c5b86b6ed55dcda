import type { PostVersionRecord } from "../../src/resources/posts/post.versions.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { PostVersion, PostVersionSearch } from "./post-version.type.js";
import { resolver, list, one, relation, computed } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";
import { string, strings, Costing } from "../shared/fields.js";
import { Bounded, NAMES } from "../shared/bounded.js";

type Context = GraphQLContext;

/** Cost of the tags of a version: unlike those of a post, the process does not remember what they are called. */
const TAG_STRING = 25;

/** The names of those of the version's tags that are among some ids, and not among others; sorted. */
async function names(
  version: PostVersionRecord,
  { loaders }: Context,
  among: readonly number[],
  except: readonly number[] = [],
): Promise<string[]> {
  const wanted = new Set(among);
  for (const id of except) wanted.delete(id);
  const tags = await loaders.postVersionTags.load(version);
  return tags.flatMap(({ id, name }) => (wanted.has(id) ? name : []));
}

/** Those that are in both lists. */
function inBoth(some: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others);
  return some.filter((id) => known.has(id));
}

export const PostVersionResolver = resolver(PostVersion, {
  postVersions: list({
    of: PostVersion,
    description: "Lists versions of posts, newest first.",
    allow: anybody,
    search: [PostVersionSearch, "Which versions to list."],
    find: ({ board }, search, page) => board.postVersions.search(search, page),
  }),

  postVersion: one({
    of: PostVersion,
    description: "One version of a post.",
    id: "Number of the version.",
    allow: anybody,
  }),

  post: relation(() => Post, "The post as it is now."),

  updater: relation(() => User, "Who made the edit."),

  tagString: computed(
    string("The names of all tags of that state, separated by blanks.", Costing(TAG_STRING)),
    async (version: PostVersionRecord, context) => (await names(version, context, version.tagIds)).join(" "),
  ),

  addedTags: computed(
    strings("Names of the tags that the edit added.", Bounded(NAMES)),
    (version: PostVersionRecord, context) => names(version, context, version.addedTagIds),
  ),

  removedTags: computed(
    strings("Names of the tags that the edit took away.", Bounded(NAMES)),
    (version: PostVersionRecord, context) => names(version, context, version.removedTagIds),
  ),

  obsoleteAddedTags: computed(
    strings("Those of the added tags that the post has lost since.", Bounded(NAMES)),
    (version: PostVersionRecord, context) => {
      const { addedTagIds, currentTagIds } = version;
      return names(version, context, addedTagIds, currentTagIds);
    },
  ),

  obsoleteRemovedTags: computed(
    strings("Those of the removed tags that the post has again.", Bounded(NAMES)),
    (version: PostVersionRecord, context) => {
      const { removedTagIds, currentTagIds } = version;
      return names(version, context, inBoth(removedTagIds, currentTagIds));
    },
  ),

  unchangedTags: computed(
    strings("Names of the tags that the edit left alone.", Bounded(NAMES)),
    (version: PostVersionRecord, context) => {
      const { tagIds, addedTagIds } = version;
      return names(version, context, tagIds, addedTagIds);
    },
  ),
});
