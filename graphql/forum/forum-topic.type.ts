import { ForumCategory } from "./forum.enums.js";
import { int, string, boolean, date, oneOf, objectType } from "../shared/fields.js";

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
