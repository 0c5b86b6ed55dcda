import { enumType } from "../shared/fields.js";

export const ForumCategory = enumType("ForumCategory", "Category of a forum topic.", {
  GENERAL: [0, "General (0)."],
  TAGS: [1, "Tags, their aliases and implications (1)."],
  BUGS_AND_FEATURES: [2, "Bugs and features of the board (2)."],
});
