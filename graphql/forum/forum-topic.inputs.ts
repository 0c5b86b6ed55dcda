import { ForumCategory } from "./forum.enums.js";
import {
  int,
  string,
  boolean,
  oneOf,
  nested,
  listOf,
  ints,
  allNullable,
  inputType,
  idInput,
} from "../shared/fields.js";

export const ForumTopicSearch = inputType(
  "ForumTopicSearch",
  "Which topics to list.",
  allNullable({
    id: ints("Topics of these numbers."),
    titleMatches: string("Words of the title; with `*` a pattern of the whole title."),
    title: string("The whole title, exactly."),
    categoryId: listOf(oneOf(ForumCategory, "Topics of these categories.")),
    creatorId: ints("Topics opened by these users."),
    creatorName: string("Topics opened by the user of this name."),
    isSticky: boolean("Topics that stay at the top, or that do not."),
    isLocked: boolean("Topics that are locked, or that are not."),
    isDeleted: boolean(
      "Topics that are deleted, or that are not. Unless asked for, only Janitors are shown deleted ones.",
    ),
  }),
);
export type ForumTopicSearch = InstanceType<typeof ForumTopicSearch>;

export const OriginalForumPostInput = inputType("OriginalForumPostInput", "The post that a topic begins with.", {
  body: string("The text."),
});

export const CreateForumTopicInput = inputType("CreateForumTopicInput", "A new topic with its first post.", {
  title: string("The title."),
  originalPostAttributes: nested(() => OriginalForumPostInput, "The post that it begins with."),
  ...allNullable({
    categoryId: oneOf(ForumCategory, "What it is about: `GENERAL` unless said otherwise."),
    isSticky: boolean("Whether it stays at the top, which takes a Moderator."),
    isLocked: boolean("Whether it is locked, which takes a Moderator."),
    minLevel: int("The lowest level that sees it, which takes a Moderator."),
  }),
});

export const UpdateForumTopicInput = inputType(
  "UpdateForumTopicInput",
  "An edit of a topic. What is absent stays as it is.",
  {
    id: int("Number of the topic."),
    ...allNullable({
      title: string("The title."),
      categoryId: oneOf(ForumCategory, "What it is about."),
      isSticky: boolean("Whether it stays at the top, which takes a Moderator."),
      isLocked: boolean("Whether it is locked, which takes a Moderator."),
      minLevel: int("The lowest level that sees it, which takes a Moderator."),
    }),
  },
);

export const DeleteForumTopicInput = idInput("DeleteForumTopicInput", "Which topic to delete.", "Number of the topic.");

export const UndeleteForumTopicInput = idInput(
  "UndeleteForumTopicInput",
  "Which topic to bring back.",
  "Number of the topic.",
);
