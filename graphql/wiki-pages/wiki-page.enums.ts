import { enumType } from "../shared/fields.js";

export const WikiPageOrder = enumType("WikiPageOrder", "Sort orders of wiki pages.", {
  TITLE: ["title", "By title."],
  DATE: ["date", "Most recently updated first."],
});
