import * as policy from "../../src/resources/forum/forum.policy.js";
import type { ForumPostRecord } from "../../src/resources/forum/forum.records.js";
import { TOPICS_PER_PAGE } from "../../src/resources/forum/forum-topic.service.js";
import { PAGE } from "../shared/bounded.js";
import type { GraphQLContext } from "../context.js";
import { editsOf } from "../shared/edits.js";
import {
  allNullable,
  boolean,
  date,
  enumType,
  inputType,
  int,
  ints,
  listOf,
  nested,
  nullable,
  objectType,
  oneOf,
  string,
} from "../shared/fields.js";
import { list, one, resolversOf } from "../shared/operations.js";
import { abilities, computed, records, relation, rendered } from "../shared/record-fields.js";
import { User } from "../users/user.type.js";

const ForumCategory = enumType("ForumCategory", "Category of a forum topic.", {
  GENERAL: [0, "General (0)."],
  TAGS: [1, "Tags, their aliases and implications (1)."],
  BUGS_AND_FEATURES: [2, "Bugs and features of the board (2)."],
});

const ForumTopic = objectType("ForumTopic", "A forum topic. Topics above the viewer's level are hidden.", {
  id: int("ID of the topic."),
  title: string("The title."),
  categoryId: oneOf(ForumCategory, "The category."),
  creatorId: int("The user who created it."),
  creatorName: string("Name of the user who created it."),
  updaterId: int("The user who last posted in it or edited it."),
  updaterName: string("Name of the user who last posted in it or edited it."),
  responseCount: int("Number of posts, including the first and deleted ones."),
  minLevel: int("The lowest level that can see it; 0 for everybody."),
  isSticky: boolean("Whether it is pinned to the top of the list."),
  isLocked: boolean("Whether it is locked: only the staff can post in it."),
  isDeleted: boolean("Whether it is deleted."),
  createdAt: date("When it was created."),
  updatedAt: date("When the last post was written or the topic was edited."),
});

const ForumPost = objectType("ForumPost", "A forum post, visible to everybody who can see its topic.", {
  id: int("ID of the post."),
  topicId: int("ID of the topic."),
  creatorId: int("The user who wrote it."),
  creatorName: string("Name of the user who wrote it."),
  updaterId: int("The user who last updated it."),
  updaterName: string("Name of the user who last updated it."),
  isDeleted: boolean("Whether it is deleted."),
  createdAt: date("When it was created."),
  updatedAt: date("When it was last updated."),
});

const OriginalForumPostInput = inputType("OriginalForumPostInput", "The first post of a topic.", {
  body: string("The text."),
});

const attributes = {
  isSticky: boolean("Whether it is pinned to the top of the list; Moderators and above."),
  isLocked: boolean("Whether it is locked; Moderators and above."),
  minLevel: int("The lowest level that can see it; Moderators and above."),
};

const topics = editsOf(ForumTopic, ({ forumTopics }) => forumTopics);

resolversOf(ForumTopic, {
  forumTopics: list({
    of: ForumTopic,
    description: "Lists forum topics, 40 per page: pinned ones first, then by last post.",
    search: {
      id: ints("Topics with these IDs."),
      titleMatches: string("Words of the title; with `*`, a pattern that matches the whole title."),
      title: string("The exact title."),
      categoryId: listOf(oneOf(ForumCategory, "Topics of these categories.")),
      creatorId: ints("Topics opened by these users."),
      creatorName: string("Topics opened by the user with this name."),
      isSticky: boolean("Only topics that are pinned (true) or not (false)."),
      isLocked: boolean("Only topics that are locked (true) or not (false)."),
      isDeleted: boolean(
        "Only deleted (true) or active (false) topics. By default, deleted ones are listed only for Janitors and above.",
      ),
    },
    page: { ...PAGE, usual: TOPICS_PER_PAGE },
    find: ({ board, viewer }, search, page) => board.forumTopics.search(viewer, search, page),
  }),

  forumTopic: one({ of: ForumTopic, description: "One forum topic.", id: "ID of the topic." }),

  createForumTopic: topics.create(
    "Creates a forum topic with its first post.",
    {
      title: string("The title."),
      originalPostAttributes: nested(() => OriginalForumPostInput, "The topic's first post."),
      ...allNullable({ categoryId: oneOf(ForumCategory, "The category; `GENERAL` by default."), ...attributes }),
    },
    "forumPost",
  ),
  updateForumTopic: topics.update(
    "Edits a forum topic.",
    allNullable({
      title: string("The title."),
      categoryId: oneOf(ForumCategory, "The category."),
      ...attributes,
    }),
  ),
  deleteForumTopic: topics.act("delete", "Deletes a topic and keeps its posts."),
  undeleteForumTopic: topics.act("undelete", "Restores a deleted topic.", null),

  posts: records(
    () => ForumPost,
    "forumTopicPosts",
    "Its first posts, oldest first; `forumPosts` with `topicId` lists them all.",
  ),
  creator: relation(() => User, "The user who created it."),
  updater: relation(() => User, "The user who last posted in it or edited it."),

  viewerCan: abilities("a topic", {
    reply: [policy.unlessLocked(policy.mayCreate), "Post in it."],
    update: [policy.unlessLocked(policy.mayEdit), "Edit its title and category."],
    delete: [policy.unlessLocked(policy.mayDelete), "Delete it."],
    undelete: [policy.mayUndelete, "Restore it."],
    moderate: [policy.mayModerate, "Pin it, lock it and set its minimum level."],
  }),
});

/** The text that the viewer may see. */
const textOf = (post: ForumPostRecord, { viewer }: GraphQLContext): string =>
  policy.maySeeBody(viewer, post) ? post.body : "";

const posts = editsOf(ForumPost, ({ forumPosts }) => forumPosts);

resolversOf(ForumPost, {
  forumPosts: list({
    of: ForumPost,
    description: "Lists forum posts, newest first.",
    search: {
      id: ints("Posts with these IDs."),
      creatorId: ints("Posts written by these users."),
      creatorName: string("Posts written by the user with this name."),
      topicId: ints("Posts of these topics."),
      topicTitleMatches: string("Words of the topic's title; with `*`, a pattern that matches the whole title."),
      topicCategoryId: listOf(oneOf(ForumCategory, "Posts of topics of these categories.")),
      bodyMatches: string("Words of the text; with `*`, a pattern that matches the whole text."),
      isDeleted: boolean(
        "Only deleted (true) or active (false) posts. By default, deleted ones are listed only for Janitors and above.",
      ),
    },
    find: ({ board, viewer }, search, page) => board.forumPosts.search(viewer, search, page),
  }),

  forumPost: one({ of: ForumPost, description: "One forum post.", id: "ID of the post." }),

  createForumPost: posts.create(
    "Posts in a forum topic.",
    { topicId: int("ID of the topic."), body: string("The text.") },
    "forumPost",
  ),
  updateForumPost: posts.update("Edits a forum post.", { body: nullable(string("The new text.")) }),
  deleteForumPost: posts.act("delete", "Deletes a forum post; deleting a topic's first post deletes the topic."),
  undeleteForumPost: posts.act("undelete", "Restores a deleted forum post, but not its topic.", null),

  body: computed(
    string(
      "The text as written; clients must sanitize it before display. Empty for deleted posts unless the viewer is the creator or a Janitor or above.",
    ),
    textOf,
  ),
  bodyHtml: rendered("The text as sanitized HTML; empty if `body` is empty.", textOf),

  topic: relation(() => ForumTopic, "The topic."),
  creator: relation(() => User, "The user who wrote it."),
  updater: relation(() => User, "The user who last updated it."),

  viewerCan: abilities("a post of the forum", {
    update: [policy.unlessLocked(policy.mayEdit), "Edit its text."],
    delete: [policy.unlessLocked(policy.mayDelete), "Delete it."],
    undelete: [policy.mayUndelete, "Restore it."],
  }),
});
