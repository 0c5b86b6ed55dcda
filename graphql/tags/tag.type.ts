import { TagCategory } from "../shared/enums.js";
import { int, string, boolean, date, oneOf, objectType } from "../shared/fields.js";

export const Tag = objectType("Tag", "A tag.", {
  id: int("ID of the tag."),
  name: string("The name: lower case, with underscores instead of spaces."),
  category: oneOf(TagCategory, "The category."),
  postCount: int("Number of posts with the tag, including deleted ones."),
  isLocked: boolean("Whether the category is locked."),
  isDeprecated: boolean("Whether the tag is deprecated."),
  createdAt: date("When the tag was created."),
  updatedAt: date("When the tag was last changed."),
});
