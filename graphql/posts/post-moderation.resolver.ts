import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { RequireLevel } from "../shared/access.js";
import {
  ApprovePostInput,
  ApprovePostPayload,
  BanPostInput,
  BanPostPayload,
  DeletePostInput,
  DeletePostPayload,
  ExpungePostInput,
  ExpungePostPayload,
  LockPostInput,
  LockPostPayload,
  MovePostFavoritesInput,
  MovePostFavoritesPayload,
  UnbanPostInput,
  UnbanPostPayload,
  UndeletePostInput,
  UndeletePostPayload,
  UnlockPostInput,
  UnlockPostPayload,
} from "./post-moderation.inputs.js";

type Payload = Promise<{ post: PostRecord }>;
interface Target {
  id: number;
}

@Resolver()
export class PostModerationResolver {
  @RequireLevel(Level.Janitor)
  @Mutation(() => ApprovePostPayload, {
    description: "Makes a post active that is pending, flagged or deleted; nobody approves their own uploads.",
  })
  async approvePost(
    @Arg("input", () => ApprovePostInput, { description: "The post." }) { id }: Target,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { post: await context.board.postModeration.approve(context, id) };
  }

  @RequireLevel(Level.Janitor)
  @Mutation(() => DeletePostPayload, { description: "Deletes a post; it stays and can be brought back." })
  async deletePost(
    @Arg("input", () => DeletePostInput, { description: "The post and the reason." })
    { id, reason, moveFavorites }: DeletePostInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { post: await context.board.postModeration.delete(context, id, reason, moveFavorites ?? false) };
  }

  @RequireLevel(Level.Janitor)
  @Mutation(() => UndeletePostPayload, { description: "Brings a deleted post back." })
  async undeletePost(
    @Arg("input", () => UndeletePostInput, { description: "The post." }) { id }: Target,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { post: await context.board.postModeration.undelete(context, id) };
  }

  @RequireLevel(Level.Janitor)
  @Mutation(() => BanPostPayload, { description: "Bans a post: its file is then for Gold and above." })
  async banPost(
    @Arg("input", () => BanPostInput, { description: "The post." }) { id }: Target,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { post: await context.board.postModeration.ban(context, id) };
  }

  @RequireLevel(Level.Janitor)
  @Mutation(() => UnbanPostPayload, { description: "Lifts a post's ban." })
  async unbanPost(
    @Arg("input", () => UnbanPostInput, { description: "The post." }) { id }: Target,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { post: await context.board.postModeration.unban(context, id) };
  }

  @RequireLevel(Level.Janitor)
  @Mutation(() => MovePostFavoritesPayload, { description: "Gives a post's favorites to its parent." })
  async movePostFavorites(
    @Arg("input", () => MovePostFavoritesInput, { description: "The post." }) { id }: Target,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { post: await context.board.postModeration.moveFavorites(context, id) };
  }

  @RequireLevel(Level.Builder)
  @Mutation(() => LockPostPayload, { description: "Locks a post's notes, rating or (Admin) status." })
  async lockPost(
    @Arg("input", () => LockPostInput, { description: "The post and the locks." }) { id, locks }: LockPostInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { post: await context.board.postModeration.lock(context, id, locks) };
  }

  @RequireLevel(Level.Builder)
  @Mutation(() => UnlockPostPayload, { description: "Unlocks a post's notes, rating or (Admin) status." })
  async unlockPost(
    @Arg("input", () => UnlockPostInput, { description: "The post and the locks." }) { id, locks }: UnlockPostInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { post: await context.board.postModeration.unlock(context, id, locks) };
  }

  @RequireLevel(Level.Admin)
  @Mutation(() => ExpungePostPayload, {
    description: "Removes a post, its history and its files for good; its favorites go to its parent.",
  })
  async expungePost(
    @Arg("input", () => ExpungePostInput, { description: "The post." }) { id }: Target,
    @Ctx() context: GraphQLContext,
  ): Promise<ExpungePostPayload> {
    const post = await context.board.postModeration.expunge(context, id);
    return { postId: post.id };
  }
}
