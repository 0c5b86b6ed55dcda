import { Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { maySeeFlagger } from "../../src/resources/post-flags/post-flag.policy.js";
import type { PostFlagRecord } from "../../src/resources/post-flags/post-flag.service.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { CreatePostFlagInput, PostFlag, PostFlagSearch, SECRET } from "./post-flag.type.js";
import { resolver, list, one, mutation, relation } from "../shared/operations.js";
import { anybody, member } from "../../src/resources/shared/policy.js";

export const PostFlagOperations = resolver(PostFlag, {
postFlags: list({ of: PostFlag, description: "Lists flags of posts, newest first.", allow: anybody, search: [PostFlagSearch, "Which flags to list."], find: (context, search, page) => context.board.postFlags.search(context, search, page) }),

postFlag: one({ of: PostFlag, description: "One flag of a post.", id: "Number of the flag.", allow: anybody }),

createPostFlag: mutation({ description: "Flags a post for deletion.", allow: member, input: [CreatePostFlagInput, "Post and reason."], payload: [PostFlag, "The new flag."], resolve: (context, input) => context.board.postFlags.create(context, input) }),

post: relation(() => Post, "The flagged post."),
});

@Resolver(() => PostFlag)
export class PostFlagResolver {

  @FieldResolver(() => Int, { nullable: true })
  creatorId(@Root() flag: PostFlagRecord, @Ctx() { viewer }: GraphQLContext): number | null {
    return maySeeFlagger(viewer, flag) ? flag.creatorId : null;
  }

  @FieldResolver(() => String, { nullable: true })
  creatorName(@Root() flag: PostFlagRecord, @Ctx() { viewer }: GraphQLContext): string | null {
    return maySeeFlagger(viewer, flag) ? flag.creatorName : null;
  }

  @FieldResolver(() => User, { nullable: true, description: `Who flagged: ${SECRET}.` })
  creator(@Root() flag: PostFlagRecord, @Ctx() { viewer, loaders }: GraphQLContext): Promise<UserRecord | null> | null {
    if (flag.creatorId === null || !maySeeFlagger(viewer, flag)) return null;
    return loaders.user.load(flag.creatorId);
  }
}
