import { Arg, Args, Ctx, Query, Resolver } from "type-graphql";
import {
  mayCreate,
  mayDelete,
  mayEdit,
  mayModerate,
  mayUndelete,
  unlessLocked,
} from "../../src/resources/forum/forum.policy.js";
import type { ForumTopicRecord } from "../../src/resources/forum/forum.records.js";
import { TOPICS_PER_PAGE } from "../../src/resources/forum/forum-topic.service.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { costOf, PAGE } from "../shared/bounded.js";
import { type ConnectionOf, ListArgs, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { ForumPost } from "./forum-post.type.js";
import {
  CreateForumTopicInput,
  DeleteForumTopicInput,
  ForumTopicSearch,
  UndeleteForumTopicInput,
  UpdateForumTopicInput,
} from "./forum-topic.inputs.js";
import { ForumTopic, ForumTopicConnection } from "./forum-topic.type.js";
import { resolver, one, mutation, relation, records, abilities } from "../shared/operations.js";

const costOfTopics = costOf({ ...PAGE, usual: TOPICS_PER_PAGE });

export const ForumTopicOperations = resolver(ForumTopic, {
  forumTopic: one({
    of: ForumTopic,
    description: "One forum topic.",
    id: "ID of the topic.",
  }),

  createForumTopic: mutation({
    description: "Creates a forum topic.",
    limited: "forumPost",
    input: [CreateForumTopicInput, "The topic."],
    payload: [ForumTopic, "The new topic."],
    resolve: (context, input) => context.board.forumTopics.create(context, input),
  }),

  updateForumTopic: mutation({
    description: "Edits a forum topic.",
    limited: "recordEdit",
    input: [UpdateForumTopicInput, "The edit."],
    payload: [ForumTopic, "The topic after the edit."],
    resolve: (context, { id, ...edit }) => context.board.forumTopics.update(context, id, edit),
  }),

  deleteForumTopic: mutation({
    description: "Deletes a topic and keeps its posts.",
    limited: "recordEdit",
    input: [DeleteForumTopicInput, "The topic."],
    payload: [ForumTopic, "The deleted topic."],
    resolve: (context, { id }) => context.board.forumTopics.delete(context, id),
  }),

  undeleteForumTopic: mutation({
    description: "Restores a deleted topic.",
    input: [UndeleteForumTopicInput, "The topic."],
    payload: [ForumTopic, "The restored topic."],
    resolve: (context, { id }) => context.board.forumTopics.undelete(context, id),
  }),

  posts: records(
    () => ForumPost,
    "forumTopicPosts",
    "Its first posts, oldest first; `forumPosts` with `topicId` lists them all.",
  ),

  creator: relation(() => User, "The user who created it."),

  updater: relation(() => User, "The user who last posted in it or edited it."),

  viewerCan: abilities("a topic", {
    reply: [unlessLocked(mayCreate), "Post in it."],
    update: [unlessLocked(mayEdit), "Edit its title and category."],
    delete: [unlessLocked(mayDelete), "Delete it."],
    undelete: [mayUndelete, "Restore it."],
    moderate: [mayModerate, "Pin it, lock it and set its minimum level."],
  }),
});

@Resolver(() => ForumTopic)
export class ForumTopicResolver {
  @Gated()
  @Query(() => ForumTopicConnection, {
    description: "Lists forum topics, 40 per page: pinned ones first, then by last post.",
    complexity: costOfTopics,
  })
  async forumTopics(
    @Arg("search", () => ForumTopicSearch, { nullable: true, description: "Filters for the list of topics." })
    search: ForumTopicSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<ConnectionOf<ForumTopicRecord>> {
    return toConnection(await board.forumTopics.search(viewer, search ?? {}, toPageRequest(list)));
  }
}
