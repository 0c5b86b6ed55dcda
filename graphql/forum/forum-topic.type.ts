import { ForumCategory } from "./forum.enums.js";
import { int, string, boolean, date, oneOf, objectType } from "../shared/fields.js";
import { Connection } from "../shared/connection.js";

export const ForumTopic = objectType(
  "ForumTopic",
  "A conversation in the forum. Topics above the viewer's level are not there.",
  {
    id: int("Number of the topic."),
    title: string("The title."),
    categoryId: oneOf(ForumCategory, "What it is about."),
    creatorId: int("Who opened it."),
    creatorName: string("Name of who opened it."),
    updaterId: int("Who wrote in it or changed it last."),
    updaterName: string("Name of who wrote in it or changed it last."),
    responseCount: int("How many posts it has, the first and the deleted ones included."),
    minLevel: int("The lowest level that sees it; 0: everybody."),
    isSticky: boolean("True for topics that stay at the top of the list."),
    isLocked: boolean("True for topics in which only the staff goes on."),
    isDeleted: boolean("True after it was deleted."),
    createdAt: date("When it was opened."),
    updatedAt: date("When the newest post was written, or the topic itself was edited."),
  },
);

export const ForumTopicConnection = Connection(ForumTopic);
