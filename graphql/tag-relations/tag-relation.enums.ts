import { registerEnumType } from "type-graphql";

export const TagRelationOrder = { CREATED_AT: "created_at", UPDATED_AT: "updated_at", NAME: "name" } as const;
registerEnumType(TagRelationOrder, {
  name: "TagRelationOrder",
  description: "Orders of the lists of aliases and implications.",
  valuesConfig: {
    CREATED_AT: { description: "Newest first." },
    UPDATED_AT: { description: "Last changed first." },
    NAME: { description: "By antecedent, then by consequent." },
  },
});
