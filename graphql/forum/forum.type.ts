/** The types of the forum. */
import { boolean, date, enumType, int, objectType, oneOf, string } from "../shared/fields.js";

export const ForumCategory = enumType("ForumCategory", "Category of a forum topic.", {
  GENERAL: [0, "General (0)."],
  TAGS: [1, "Tags, their aliases and implications (1)."],
  BUGS_AND_FEATURES: [2, "Bugs and features of the board (2)."],
});

export const ForumTopic = objectType("ForumTopic", "A forum topic. Topics above the viewer's level are hidden.", {
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

export const ForumPost = objectType("ForumPost", "A forum post, visible to everybody who can see its topic.", {
  id: int("ID of the post."),
  topicId: int("ID of the topic."),
  creatorId: int("The user who wrote it."),
  creatorName: string("Name of the user who wrote it."),
  updaterId: int("The user who last updated it."),
  updaterName: string("Name of the user who last updated it."),
  body: string("The text as written; clients must sanitize it before display."),
  isDeleted: boolean("Whether it is deleted."),
  createdAt: date("When it was created."),
  updatedAt: date("When it was last updated."),
});
