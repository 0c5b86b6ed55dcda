import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { PostVersionRecord } from "../../src/resources/posts/post.versions.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { PostVersion, PostVersionConnection, PostVersionSearch } from "./post-version.type.js";

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

@Resolver(() => PostVersion)
export class PostVersionResolver {
  @Public()
  @Query(() => PostVersionConnection, {
    description: "Lists versions of posts, newest first.",
    complexity: listComplexity,
  })
  async postVersions(
    @Arg("search", () => PostVersionSearch, { nullable: true, description: "Which versions to list." })
    search: PostVersionSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: Context,
  ): Promise<ConnectionOf<PostVersionRecord>> {
    return toConnection(await board.postVersions.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => PostVersion, { nullable: true, description: "One version of a post." })
  postVersion(
    @Arg("id", () => Int, { description: "Number of the version." }) id: number,
    @Ctx() { loaders }: Context,
  ): Promise<PostVersionRecord | null> {
    return loaders.postVersion.load(id);
  }

  @FieldResolver(() => Post, { nullable: true, description: "The post as it is now." })
  post(@Root() version: PostVersionRecord, @Ctx() { loaders }: Context): Promise<PostRecord | null> {
    return loaders.post.load(version.postId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who made the edit." })
  updater(@Root() version: PostVersionRecord, @Ctx() { loaders }: Context): Promise<UserRecord | null> {
    return loaders.user.load(version.updaterId);
  }

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
