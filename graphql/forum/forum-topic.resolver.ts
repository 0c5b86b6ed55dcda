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
    description: "One topic of the forum.",
    id: "Number of the topic.",
  }),

  createForumTopic: mutation({
    description: "Opens a topic in the forum.",
    limited: "forumPost",
    input: [CreateForumTopicInput, "The topic."],
    payload: [ForumTopic, "The new topic."],
    resolve: (context, input) => context.board.forumTopics.create(context, input),
  }),

  updateForumTopic: mutation({
    description: "Edits a topic of the forum.",
    limited: "recordEdit",
    input: [UpdateForumTopicInput, "The edit."],
    payload: [ForumTopic, "The topic after the edit."],
    resolve: (context, { id, ...edit }) => context.board.forumTopics.update(context, id, edit),
  }),

  deleteForumTopic: mutation({
    description: "Takes a topic out of the lists; its posts stay.",
    limited: "recordEdit",
    input: [DeleteForumTopicInput, "The topic."],
    payload: [ForumTopic, "The topic, now deleted."],
    resolve: (context, { id }) => context.board.forumTopics.delete(context, id),
  }),

  undeleteForumTopic: mutation({
    description: "Brings a topic back into the lists.",
    input: [UndeleteForumTopicInput, "The topic."],
    payload: [ForumTopic, "The topic, back in the lists."],
    resolve: (context, { id }) => context.board.forumTopics.undelete(context, id),
  }),

  posts: records(
    () => ForumPost,
    "forumTopicPosts",
    "Its first posts, oldest first; `forumPosts` with `topicId` lists them all.",
  ),

  creator: relation(() => User, "Who opened it."),

  updater: relation(() => User, "Who wrote in it or changed it last."),

  viewerCan: abilities("a topic", {
    reply: [unlessLocked(mayCreate), "Write a post in it."],
    update: [unlessLocked(mayEdit), "Change title and category."],
    delete: [unlessLocked(mayDelete), "Take it out of the lists."],
    undelete: [mayUndelete, "Bring it back."],
    moderate: [mayModerate, "Pin it, lock it, and set who sees it."],
  }),
});

@Resolver(() => ForumTopic)
export class ForumTopicResolver {
  @Gated()
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
}
