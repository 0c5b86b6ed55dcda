/** The history of a post. */
import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import type { PostRecord } from "../../src/services/post.records.js";
import type { PostVersionRecord } from "../../src/services/post.versions.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { costOfNewest, FIRST, newestOf } from "../shared/newest.js";
import { PostVersion } from "./post-version.type.js";

@Resolver(() => Post)
export class PostVersions {
  @FieldResolver(() => [PostVersion], { description: "Its newest versions, newest first.", complexity: costOfNewest })
  versions(
    @Root() post: PostRecord,
    @Arg("first", () => Int, { ...FIRST, nullable: true }) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<PostVersionRecord[]> {
    return loaders.postVersions.load(newestOf(post, first));
  }
}
