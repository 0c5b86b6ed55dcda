import { registerEnumType } from "type-graphql";

export const WikiPageOrder = { TITLE: "title", DATE: "date" } as const;
registerEnumType(WikiPageOrder, {
  name: "WikiPageOrder",
  description: "Orders of the list of wiki pages.",
  valuesConfig: {
    TITLE: { description: "By title." },
    DATE: { description: "Last changed first." },
  },
});
