import { int } from "../shared/fields.js";
import {
  mayCreate,
  mayDelete,
  mayEdit,
  mayModerate,
  mayUndelete,
  unlessLocked,
} from "../../src/resources/forum/forum.policy.js";
import { TOPICS_PER_PAGE } from "../../src/resources/forum/forum-topic.service.js";
import { PAGE } from "../shared/bounded.js";
import { User } from "../users/user.type.js";
import { ForumPost } from "./forum-post.type.js";
import { CreateForumTopicInput, ForumTopicSearch, UpdateForumTopicInput } from "./forum-topic.inputs.js";
import { ForumTopic } from "./forum-topic.type.js";
import { resolver, list, one, mutation, relation, records, abilities } from "../shared/operations.js";

export const ForumTopicResolver = resolver(ForumTopic, {
  forumTopics: list({
    of: ForumTopic,
    description: "Lists forum topics, 40 per page: pinned ones first, then by last post.",
    search: [ForumTopicSearch, "Filters for the list of topics."],
    page: { ...PAGE, usual: TOPICS_PER_PAGE },
    find: ({ board, viewer }, search, page) => board.forumTopics.search(viewer, search, page),
  }),

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
    input: [{ id: int("ID of the topic.") }, "The topic to delete.", "The topic."],
    payload: [ForumTopic, "The deleted topic."],
    resolve: (context, { id }) => context.board.forumTopics.delete(context, id),
  }),

  undeleteForumTopic: mutation({
    description: "Restores a deleted topic.",
    input: [{ id: int("ID of the topic.") }, "The topic to restore.", "The topic."],
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
