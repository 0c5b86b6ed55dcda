import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import {
  mayCreate,
  mayDelete,
  mayEdit,
  mayModerate,
  mayUndelete,
  passesLock,
} from "../../src/resources/forum/forum.policy.js";
import type { ForumPostRecord, ForumTopicRecord } from "../../src/resources/forum/forum.records.js";
import { TOPICS_PER_PAGE } from "../../src/resources/forum/forum-topic.service.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public, RequireLevel } from "../shared/access.js";
import { costOf, First, PAGE, RECORDS, wanted } from "../shared/bounded.js";
import { type ConnectionOf, ListArgs, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import { User } from "../users/user.type.js";
import { ForumPost } from "./forum-post.type.js";
import {
  CreateForumTopicInput,
  DeleteForumTopicInput,
  ForumTopicSearch,
  UndeleteForumTopicInput,
  UpdateForumTopicInput,
} from "./forum-topic.inputs.js";
import {
  CreateForumTopicPayload,
  DeleteForumTopicPayload,
  ForumTopic,
  ForumTopicAbilities,
  ForumTopicConnection,
  UndeleteForumTopicPayload,
  UpdateForumTopicPayload,
} from "./forum-topic.type.js";

interface Payload {
  forumTopic: ForumTopicRecord;
}

const costOfTopics = costOf({ ...PAGE, usual: TOPICS_PER_PAGE });

@Resolver(() => ForumTopic)
export class ForumTopicResolver {
  @Public()
  @Query(() => ForumTopicConnection, {
    description: "Lists topics of the forum, 40 a page: sticky ones first, then by the newest post.",
    complexity: costOfTopics,
  })
  async forumTopics(
    @Arg("search", () => ForumTopicSearch, { nullable: true, description: "Which topics to list." })
    search: ForumTopicSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<ConnectionOf<ForumTopicRecord>> {
    return toConnection(await board.forumTopics.search(viewer, search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => ForumTopic, { nullable: true, description: "One topic of the forum." })
  forumTopic(
    @Arg("id", () => Int, { description: "Number of the topic." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<ForumTopicRecord | null> {
    return loaders.forumTopic.load(id);
  }

  @RequireLevel(Level.Member)
  @Limited("forumPost")
  @Mutation(() => CreateForumTopicPayload, { description: "Opens a topic in the forum." })
  async createForumTopic(
    @Arg("input", () => CreateForumTopicInput, { description: "The topic." }) input: CreateForumTopicInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { forumTopic: await context.board.forumTopics.create(context, input) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => UpdateForumTopicPayload, { description: "Edits a topic of the forum." })
  async updateForumTopic(
    @Arg("input", () => UpdateForumTopicInput, { description: "The edit." }) { id, ...edit }: UpdateForumTopicInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { forumTopic: await context.board.forumTopics.update(context, id, edit) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => DeleteForumTopicPayload, { description: "Takes a topic out of the lists; its posts stay." })
  async deleteForumTopic(
    @Arg("input", () => DeleteForumTopicInput, { description: "The topic." }) { id }: DeleteForumTopicInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { forumTopic: await context.board.forumTopics.delete(context, id) };
  }

  @RequireLevel(Level.Janitor)
  @Mutation(() => UndeleteForumTopicPayload, { description: "Brings a topic back into the lists." })
  async undeleteForumTopic(
    @Arg("input", () => UndeleteForumTopicInput, { description: "The topic." }) { id }: UndeleteForumTopicInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { forumTopic: await context.board.forumTopics.undelete(context, id) };
  }

  @FieldResolver(() => [ForumPost], { complexity: costOf(RECORDS), description: "Its first posts, oldest first; `forumPosts` with `topicId` lists them all." })
  posts(
    @Root() topic: ForumTopicRecord,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<ForumPostRecord[]> {
    return loaders.forumTopicPosts.load(wanted(RECORDS, topic, first));
  }

  @FieldResolver(() => User, { nullable: true, description: "Who opened it." })
  creator(@Root() topic: ForumTopicRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(topic.creatorId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who wrote in it or changed it last." })
  updater(@Root() topic: ForumTopicRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(topic.updaterId);
  }

  @FieldResolver(() => ForumTopicAbilities, { description: "What the viewer may do with it." })
  viewerCan(@Root() topic: ForumTopicRecord, @Ctx() { viewer }: GraphQLContext): ForumTopicAbilities {
    const isOpen = passesLock(viewer, topic);
    return {
      reply: isOpen && mayCreate(viewer, topic),
      update: isOpen && mayEdit(viewer, topic),
      delete: isOpen && mayDelete(viewer, topic),
      undelete: mayUndelete(viewer, topic),
      moderate: mayModerate(viewer, topic),
    };
  }
}
