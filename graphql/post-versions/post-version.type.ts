import { Rating } from "../shared/enums.js";
import { AlsoNamed, SeparatedByBlanks } from "../shared/lists.js";
import {
  int,
  string,
  boolean,
  date,
  oneOf,
  ints,
  strings,
  nullable,
  allNullable,
  objectType,
  inputType,
} from "../shared/fields.js";

export const PostVersion = objectType(
  "PostVersion",
  "A state that a post had, and what the edit that led to it changed.",
  {
    id: int("Number of the version; pass it to `revertPost`."),
    postId: int("Number of the post."),
    version: int("1 for the upload, then one more with each edit of the post."),
    updaterId: int("Who made the edit."),
    updaterName: string("Name of who made the edit."),
    rating: oneOf(Rating, "The rating of that state."),
    ratingChanged: boolean("Whether the edit changed the rating."),
    parentId: nullable(int("The parent of that state.")),
    parentChanged: boolean("Whether the edit changed the parent."),
    source: string("The source of that state."),
    sourceChanged: boolean("Whether the edit changed the source."),
    createdAt: date("When the edit was made."),
    updatedAt: date("When the version was last changed; later than `createdAt` only where edits are merged."),
  },
);

export const PostVersionSearch = inputType(
  "PostVersionSearch",
  "Which versions of posts to list.",
  allNullable({
    id: ints("Versions of these numbers."),
    postId: ints("Versions of these posts."),
    updaterId: ints("Edits by these users."),
    updaterName: string("Edits by the user of this name."),
    startId: int("The version of this number and those before it."),
    changedTags: strings(
      "Edits that added or removed each of these tags.",
      SeparatedByBlanks(),
      AlsoNamed("all_changed_tags"),
    ),
    addedTagsIncludeAll: strings("Edits that added all of these tags.", SeparatedByBlanks()),
    removedTagsIncludeAll: strings("Edits that removed all of these tags.", SeparatedByBlanks()),
  }),
);
