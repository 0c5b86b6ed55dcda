import { mayDelete, mayEdit, mayUndelete, unlessLocked } from "../../src/resources/forum/forum.policy.js";
import { User } from "../users/user.type.js";
import {
  CreateForumPostInput,
  DeleteForumPostInput,
  ForumPost,
  ForumPostSearch,
  UndeleteForumPostInput,
  UpdateForumPostInput,
} from "./forum-post.type.js";
import { ForumTopic } from "./forum-topic.type.js";
import { resolver, list, one, mutation, relation, abilities } from "../shared/operations.js";

export const ForumPostResolver = resolver(ForumPost, {
  forumPosts: list({
    of: ForumPost,
    description: "Lists posts of the forum, newest first.",
    search: [ForumPostSearch, "Which posts to list."],
    find: ({ board, viewer }, search, page) => board.forumPosts.search(viewer, search, page),
  }),

  forumPost: one({ of: ForumPost, description: "One post of the forum.", id: "Number of the post." }),

  createForumPost: mutation({
    description: "Writes a post in a topic of the forum.",
    limited: "forumPost",
    input: [CreateForumPostInput, "The post."],
    payload: [ForumPost, "The new post."],
    resolve: (context, input) => context.board.forumPosts.create(context, input),
  }),

  updateForumPost: mutation({
    description: "Edits a post of the forum.",
    limited: "recordEdit",
    input: [UpdateForumPostInput, "The edit."],
    payload: [ForumPost, "The post after the edit."],
    resolve: (context, { id, ...edit }) => context.board.forumPosts.update(context, id, edit),
  }),

  deleteForumPost: mutation({
    description: "Deletes a post of the forum; with a topic's first post the topic.",
    limited: "recordEdit",
    input: [DeleteForumPostInput, "The post."],
    payload: [ForumPost, "The post, now deleted."],
    resolve: (context, { id }) => context.board.forumPosts.delete(context, id),
  }),

  undeleteForumPost: mutation({
    description: "Brings a post of the forum back, though not its topic.",
    input: [UndeleteForumPostInput, "The post."],
    payload: [ForumPost, "The post, back in its topic."],
    resolve: (context, { id }) => context.board.forumPosts.undelete(context, id),
  }),

  topic: relation(() => ForumTopic, "The topic."),

  creator: relation(() => User, "Who wrote it."),

  updater: relation(() => User, "Who changed it last."),

  viewerCan: abilities("a post of the forum", {
    update: [unlessLocked(mayEdit), "Change its text."],
    delete: [unlessLocked(mayDelete), "Delete it."],
    undelete: [mayUndelete, "Bring it back."],
  }),
});
