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
  objectType,
  inputType,
  optionalInput,
} from "../shared/fields.js";

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

export const ForumPostSearch = optionalInput("ForumPostSearch", "Filters for the list of posts of the forum.", {
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
});

export const CreateForumPostInput = inputType("CreateForumPostInput", "A new forum post.", {
  topicId: int("ID of the topic."),
  body: string("The text."),
});

export const UpdateForumPostInput = inputType("UpdateForumPostInput", "An edit of a forum post.", {
  id: int("ID of the post."),
  body: nullable(string("The new text; does not change if absent.")),
});
