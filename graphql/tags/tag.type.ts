import { TagCategory } from "../shared/enums.js";
import { int, string, boolean, date, oneOf, objectType } from "../shared/fields.js";

export const Tag = objectType("Tag", "A word that posts are described with.", {
  id: int("Number of the tag."),
  name: string("The word: lower case, underscores for blanks."),
  category: oneOf(TagCategory, "What kind of thing the tag names."),
  postCount: int("On how many posts the tag is, deleted ones included."),
  isLocked: boolean("Whether the category is locked."),
  isDeprecated: boolean("Whether the tag should not be used any more."),
  createdAt: date("When the tag was first used."),
  updatedAt: date("When the tag was last changed."),
});
