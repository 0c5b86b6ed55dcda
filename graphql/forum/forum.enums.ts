import { registerEnumType } from "type-graphql";

export const ForumCategory = { GENERAL: 0, TAGS: 1, BUGS_AND_FEATURES: 2 } as const;
registerEnumType(ForumCategory, {
  name: "ForumCategory",
  description: "Category of a forum topic.",
  valuesConfig: {
    GENERAL: { description: "General (0)." },
    TAGS: { description: "Tags, their aliases and implications (1)." },
    BUGS_AND_FEATURES: { description: "Bugs and features of the board (2)." },
  },
});
