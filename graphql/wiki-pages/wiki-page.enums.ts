import { registerEnumType } from "type-graphql";

export const WikiPageOrder = { TITLE: "title", DATE: "date" } as const;
registerEnumType(WikiPageOrder, {
  name: "WikiPageOrder",
  description: "Sort orders of wiki pages.",
  valuesConfig: {
    TITLE: { description: "By title." },
    DATE: { description: "Most recently updated first." },
  },
});
