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
  optionalInput,
} from "../shared/fields.js";

export const ForumTopicSearch = optionalInput("ForumTopicSearch", "Filters for the list of topics.", {
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
});

export const OriginalForumPostInput = inputType("OriginalForumPostInput", "The first post of a topic.", {
  body: string("The text."),
});

export const CreateForumTopicInput = inputType("CreateForumTopicInput", "A new topic with its first post.", {
  title: string("The title."),
  originalPostAttributes: nested(() => OriginalForumPostInput, "The topic's first post."),
  ...allNullable({
    categoryId: oneOf(ForumCategory, "The category; `GENERAL` by default."),
    isSticky: boolean("Whether it is pinned to the top of the list; Moderators and above."),
    isLocked: boolean("Whether it is locked; Moderators and above."),
    minLevel: int("The lowest level that can see it; Moderators and above."),
  }),
});

export const UpdateForumTopicInput = inputType(
  "UpdateForumTopicInput",
  "An edit of a topic. Absent fields do not change.",
  {
    id: int("ID of the topic."),
    ...allNullable({
      title: string("The title."),
      categoryId: oneOf(ForumCategory, "The category."),
      isSticky: boolean("Whether it is pinned to the top of the list; Moderators and above."),
      isLocked: boolean("Whether it is locked; Moderators and above."),
      minLevel: int("The lowest level that can see it; Moderators and above."),
    }),
  },
);
