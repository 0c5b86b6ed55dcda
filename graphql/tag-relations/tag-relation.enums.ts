import { registerEnumType } from "type-graphql";

export const TagRelationOrder = { CREATED_AT: "created_at", UPDATED_AT: "updated_at", NAME: "name" } as const;
registerEnumType(TagRelationOrder, {
  name: "TagRelationOrder",
  description: "Sort orders of tag aliases and implications.",
  valuesConfig: {
    CREATED_AT: { description: "Newest first." },
    UPDATED_AT: { description: "Most recently updated first." },
    NAME: { description: "By antecedent, then by consequent." },
  },
});
