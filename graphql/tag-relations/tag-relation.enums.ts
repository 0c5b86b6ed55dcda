import { enumType } from "../shared/fields.js";

export const TagRelationOrder = enumType("TagRelationOrder", "Sort orders of tag aliases and implications.", {
  CREATED_AT: ["created_at", "Newest first."],
  UPDATED_AT: ["updated_at", "Most recently updated first."],
  NAME: ["name", "By antecedent, then by consequent."],
});
