/** The history of a post. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { PostVersionRecord } from "../../src/resources/posts/post.versions.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { costOf, First, RECORDS, wanted } from "../shared/bounded.js";
import { PostVersion } from "./post-version.type.js";

@Resolver(() => Post)
export class PostVersions {
  @FieldResolver(() => [PostVersion], {
    description: "Its newest versions, newest first.",
    complexity: costOf(RECORDS),
  })
  versions(
    @Root() post: PostRecord,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PostVersionRecord[]> {
    return loaders.postVersions.load(wanted(RECORDS, post, first));
  }
}
