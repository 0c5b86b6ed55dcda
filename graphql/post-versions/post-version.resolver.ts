import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { PostVersionRecord } from "../../src/resources/posts/post.versions.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { PostVersion, PostVersionSearch } from "./post-version.type.js";
import { resolver, list, one, relation } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

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

export const PostVersionOperations = resolver(PostVersion, {
postVersions: list({ of: PostVersion, description: "Lists versions of posts, newest first.", allow: anybody, search: [PostVersionSearch, "Which versions to list."], find: ({ board }, search, page) => board.postVersions.search(search, page) }),

postVersion: one({ of: PostVersion, description: "One version of a post.", id: "Number of the version.", allow: anybody }),

post: relation(() => Post, "The post as it is now."),

updater: relation(() => User, "Who made the edit."),
});

@Resolver(() => PostVersion)
export class PostVersionResolver {

  @FieldResolver(() => String, { complexity: TAG_STRING })
  async tagString(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string> {
    return (await names(version, context, version.tagIds)).join(" ");
  }

  @FieldResolver(() => [String])
  addedTags(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string[]> {
    return names(version, context, version.addedTagIds);
  }

  @FieldResolver(() => [String])
  removedTags(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string[]> {
    return names(version, context, version.removedTagIds);
  }

  @FieldResolver(() => [String])
  obsoleteAddedTags(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string[]> {
    const { addedTagIds, currentTagIds } = version;
    return names(version, context, addedTagIds, currentTagIds);
  }

  @FieldResolver(() => [String])
  obsoleteRemovedTags(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string[]> {
    const { removedTagIds, currentTagIds } = version;
    return names(version, context, inBoth(removedTagIds, currentTagIds));
  }

  @FieldResolver(() => [String])
  unchangedTags(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string[]> {
    const { tagIds, addedTagIds } = version;
    return names(version, context, tagIds, addedTagIds);
  }
}
