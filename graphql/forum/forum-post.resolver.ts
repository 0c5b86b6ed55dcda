import { int } from "../shared/fields.js";
import { mayDelete, mayEdit, mayUndelete, unlessLocked } from "../../src/resources/forum/forum.policy.js";
import { User } from "../users/user.type.js";
import { CreateForumPostInput, ForumPost, ForumPostSearch, UpdateForumPostInput } from "./forum-post.type.js";
import { ForumTopic } from "./forum-topic.type.js";
import { resolver, list, one, mutation, relation, abilities } from "../shared/operations.js";

export const ForumPostResolver = resolver(ForumPost, {
  forumPosts: list({
    of: ForumPost,
    description: "Lists forum posts, newest first.",
    search: [ForumPostSearch, "Filters for the list of posts."],
    find: ({ board, viewer }, search, page) => board.forumPosts.search(viewer, search, page),
  }),

  forumPost: one({ of: ForumPost, description: "One forum post.", id: "ID of the post." }),

  createForumPost: mutation({
    description: "Posts in a forum topic.",
    limited: "forumPost",
    input: [CreateForumPostInput, "The post."],
    payload: [ForumPost, "The new post."],
    resolve: (context, input) => context.board.forumPosts.create(context, input),
  }),

  updateForumPost: mutation({
    description: "Edits a forum post.",
    limited: "recordEdit",
    input: [UpdateForumPostInput, "The edit."],
    payload: [ForumPost, "The post after the edit."],
    resolve: (context, { id, ...edit }) => context.board.forumPosts.update(context, id, edit),
  }),

  deleteForumPost: mutation({
    description: "Deletes a forum post; deleting a topic's first post deletes the topic.",
    limited: "recordEdit",
    input: [{ id: int("ID of the post.") }, "The forum post to delete.", "The post."],
    payload: [ForumPost, "The deleted post."],
    resolve: (context, { id }) => context.board.forumPosts.delete(context, id),
  }),

  undeleteForumPost: mutation({
    description: "Restores a deleted forum post, but not its topic.",
    input: [{ id: int("ID of the post.") }, "The forum post to restore.", "The post."],
    payload: [ForumPost, "The restored forum post."],
    resolve: (context, { id }) => context.board.forumPosts.undelete(context, id),
  }),

  topic: relation(() => ForumTopic, "The topic."),

  creator: relation(() => User, "The user who wrote it."),

  updater: relation(() => User, "The user who last updated it."),

  viewerCan: abilities("a post of the forum", {
    update: [unlessLocked(mayEdit), "Edit its text."],
    delete: [unlessLocked(mayDelete), "Delete it."],
    undelete: [mayUndelete, "Restore it."],
  }),
});
