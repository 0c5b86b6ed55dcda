import { TagCategory } from "../shared/enums.js";
import { int, string, boolean, date, oneOf, strings, objectType } from "../shared/fields.js";

export const WikiPage = objectType("WikiPage", "A wiki page, which explains a tag or how to use the board.", {
  id: int("ID of the page."),
  title: string("The title: the name of the tag that it describes, if there is one."),
  body: string("The text as written; clients must sanitize it before display."),
  otherNames: strings("Other names, usually in other languages."),
  category: oneOf(TagCategory, "Category of the tag with this name; general if there is none."),
  creatorId: int("The user who created it."),
  creatorName: string("Name of the user who created it."),
  updaterId: int("The user who made the last edit."),
  updaterName: string("Name of the user who made the last edit."),
  isLocked: boolean("Whether it is locked: only Builders and above can edit it."),
  isDeleted: boolean("Whether it is deleted."),
  createdAt: date("When it was created."),
  updatedAt: date("When it was last updated."),
});
