import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { PostRecord } from "../../src/services/post.records.js";
import type { PostVersionRecord } from "../../src/services/post.versions.js";
import type { UserRecord } from "../../src/services/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { PostVersion, PostVersionConnection, PostVersionSearch } from "./post-version.type.js";

type Context = GraphQLContext;

/** The names of the version's tags whose ids pass, sorted. */
async function names(version: PostVersionRecord, context: Context, passes: (id: number) => boolean): Promise<string[]> {
  const tags = await context.loaders.postVersionTags.load(version);
  return tags.filter((tag) => passes(tag.id)).map((tag) => tag.name);
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

  @FieldResolver(() => Post, { nullable: true })
  post(@Root() version: PostVersionRecord, @Ctx() { loaders }: Context): Promise<PostRecord | null> {
    return loaders.post.load(version.postId);
  }

  @FieldResolver(() => User, { nullable: true })
  updater(@Root() version: PostVersionRecord, @Ctx() { loaders }: Context): Promise<UserRecord | null> {
    return loaders.user.load(version.updaterId);
  }

  @FieldResolver(() => String)
  async tagString(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string> {
    return (await names(version, context, (id) => version.tagIds.includes(id))).join(" ");
  }

  @FieldResolver(() => [String])
  addedTags(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string[]> {
    return names(version, context, (id) => version.addedTagIds.includes(id));
  }

  @FieldResolver(() => [String])
  removedTags(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string[]> {
    return names(version, context, (id) => version.removedTagIds.includes(id));
  }

  @FieldResolver(() => [String])
  obsoleteAddedTags(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string[]> {
    const { addedTagIds, currentTagIds } = version;
    return names(version, context, (id) => addedTagIds.includes(id) && !currentTagIds.includes(id));
  }

  @FieldResolver(() => [String])
  obsoleteRemovedTags(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string[]> {
    const { removedTagIds, currentTagIds } = version;
    return names(version, context, (id) => removedTagIds.includes(id) && currentTagIds.includes(id));
  }

  @FieldResolver(() => [String])
  unchangedTags(@Root() version: PostVersionRecord, @Ctx() context: Context): Promise<string[]> {
    const { tagIds, addedTagIds } = version;
    return names(version, context, (id) => tagIds.includes(id) && !addedTagIds.includes(id));
  }
}
