import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import { mayDelete, mayEdit, mayUndelete, passesLock } from "../../src/resources/forum/forum.policy.js";
import type { ForumPostRecord, ForumTopicRecord } from "../../src/resources/forum/forum.records.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import { User } from "../users/user.type.js";
import {
  CreateForumPostInput,
  CreateForumPostPayload,
  DeleteForumPostInput,
  DeleteForumPostPayload,
  ForumPost,
  ForumPostAbilities,
  ForumPostConnection,
  ForumPostSearch,
  UndeleteForumPostInput,
  UndeleteForumPostPayload,
  UpdateForumPostInput,
  UpdateForumPostPayload,
} from "./forum-post.type.js";
import { ForumTopic } from "./forum-topic.type.js";

interface Payload {
  forumPost: ForumPostRecord;
}

@Resolver(() => ForumPost)
export class ForumPostResolver {
  @Public()
  @Query(() => ForumPostConnection, {
    description: "Lists posts of the forum, newest first.",
    complexity: listComplexity,
  })
  async forumPosts(
    @Arg("search", () => ForumPostSearch, { nullable: true, description: "Which posts to list." })
    search: ForumPostSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<ConnectionOf<ForumPostRecord>> {
    return toConnection(await board.forumPosts.search(viewer, search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => ForumPost, { nullable: true, description: "One post of the forum." })
  forumPost(
    @Arg("id", () => Int, { description: "Number of the post." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<ForumPostRecord | null> {
    return loaders.forumPost.load(id);
  }

  @RequireLevel(Level.Member)
  @Limited("forumPost")
  @Mutation(() => CreateForumPostPayload, { description: "Writes a post in a topic of the forum." })
  async createForumPost(
    @Arg("input", () => CreateForumPostInput, { description: "The post." }) input: CreateForumPostInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { forumPost: await context.board.forumPosts.create(context, input) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => UpdateForumPostPayload, { description: "Edits a post of the forum." })
  async updateForumPost(
    @Arg("input", () => UpdateForumPostInput, { description: "The edit." }) { id, ...edit }: UpdateForumPostInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { forumPost: await context.board.forumPosts.update(context, id, edit) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => DeleteForumPostPayload, {
    description: "Deletes a post of the forum; with a topic's first post the topic.",
  })
  async deleteForumPost(
    @Arg("input", () => DeleteForumPostInput, { description: "The post." }) { id }: DeleteForumPostInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { forumPost: await context.board.forumPosts.delete(context, id) };
  }

  @RequireLevel(Level.Janitor)
  @Mutation(() => UndeleteForumPostPayload, { description: "Brings a post of the forum back, though not its topic." })
  async undeleteForumPost(
    @Arg("input", () => UndeleteForumPostInput, { description: "The post." }) { id }: UndeleteForumPostInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { forumPost: await context.board.forumPosts.undelete(context, id) };
  }

  @FieldResolver(() => ForumTopic, { nullable: true, description: "The topic." })
  topic(@Root() post: ForumPostRecord, @Ctx() { loaders }: GraphQLContext): Promise<ForumTopicRecord | null> {
    return loaders.forumTopic.load(post.topicId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who wrote it." })
  creator(@Root() post: ForumPostRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(post.creatorId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who changed it last." })
  updater(@Root() post: ForumPostRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(post.updaterId);
  }

  @FieldResolver(() => ForumPostAbilities, { description: "What the viewer may do with it." })
  viewerCan(@Root() post: ForumPostRecord, @Ctx() { viewer }: GraphQLContext): ForumPostAbilities {
    const isOpen = passesLock(viewer, post.inTopic);
    return {
      update: isOpen && mayEdit(viewer, post),
      delete: isOpen && mayDelete(viewer, post),
      undelete: mayUndelete(viewer, post),
    };
  }
}
