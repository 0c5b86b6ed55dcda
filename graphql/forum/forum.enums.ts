import { registerEnumType } from "type-graphql";

export const ForumCategory = { GENERAL: 0, TAGS: 1, BUGS_AND_FEATURES: 2 } as const;
registerEnumType(ForumCategory, {
  name: "ForumCategory",
  description: "What a topic of the forum is about.",
  valuesConfig: {
    GENERAL: { description: "Anything else (0)." },
    TAGS: { description: "Tags, their aliases and implications (1)." },
    BUGS_AND_FEATURES: { description: "The board's program (2)." },
  },
});
