import { ForumCategory } from "./forum.enums.js";
import {
  int,
  string,
  boolean,
  date,
  oneOf,
  listOf,
  ints,
  nullable,
  allNullable,
  objectType,
  inputType,
  idInput,
} from "../shared/fields.js";

export const ForumPost = objectType("ForumPost", "A post of the forum. It is seen by whoever sees its topic.", {
  id: int("Number of the post."),
  topicId: int("Number of the topic."),
  creatorId: int("Who wrote it."),
  creatorName: string("Name of who wrote it."),
  updaterId: int("Who changed it last."),
  updaterName: string("Name of who changed it last."),
  body: string("The text as it was written; whoever shows it must sanitise it."),
  isDeleted: boolean("True after it was deleted."),
  createdAt: date("When it was written."),
  updatedAt: date("When it last changed."),
});

export const ForumPostSearch = inputType(
  "ForumPostSearch",
  "Which posts of the forum to list.",
  allNullable({
    id: ints("Posts of these numbers."),
    creatorId: ints("Posts written by these users."),
    creatorName: string("Posts written by the user of this name."),
    topicId: ints("Posts of these topics."),
    topicTitleMatches: string("Words of the topic's title; with `*` a pattern of the whole title."),
    topicCategoryId: listOf(oneOf(ForumCategory, "Posts of topics of these categories.")),
    bodyMatches: string("Words of the text; with `*` a pattern of the whole text."),
    isDeleted: boolean(
      "Posts that are deleted, or that are not. Unless asked for, only Janitors are shown deleted ones.",
    ),
  }),
);

export const CreateForumPostInput = inputType("CreateForumPostInput", "A new post of the forum.", {
  topicId: int("Number of the topic."),
  body: string("The text."),
});

export const UpdateForumPostInput = inputType("UpdateForumPostInput", "An edit of a post of the forum.", {
  id: int("Number of the post."),
  body: nullable(string("The text; absent: as it is.")),
});

export const DeleteForumPostInput = idInput(
  "DeleteForumPostInput",
  "Which post of the forum to delete.",
  "Number of the post.",
);

export const UndeleteForumPostInput = idInput(
  "UndeleteForumPostInput",
  "Which post of the forum to bring back.",
  "Number of the post.",
);
