import { TagCategory } from "../shared/enums.js";
import { int, string, boolean, date, oneOf, strings, objectType } from "../shared/fields.js";

export const WikiPage = objectType("WikiPage", "A page that says what a tag means, or how the board is used.", {
  id: int("Number of the page."),
  title: string("Its title: the name of the tag that it describes, where there is one."),
  body: string("The text as it was written; whoever shows it must sanitise it."),
  otherNames: strings("What else the same thing is called, in other languages above all."),
  category: oneOf(TagCategory, "Category of the tag of this name; general where there is none."),
  creatorId: int("Who made it."),
  creatorName: string("Name of who made it."),
  updaterId: int("Who made the last edit."),
  updaterName: string("Name of who made the last edit."),
  isLocked: boolean("True for pages that only Builders edit."),
  isDeleted: boolean("True after it was deleted."),
  createdAt: date("When it was made."),
  updatedAt: date("When it last changed."),
});
