import { int, string, date, ints, nullable, allNullable, objectType, inputType } from "../shared/fields.js";

export const ModAction = objectType(
  "ModAction",
  "Something that the staff did. The log is public and is only ever added to.",
  {
    id: int("Number of the entry."),
    creatorId: nullable(int("Who did it; null for the board itself.")),
    creatorName: nullable(string("Name of who did it; null for the board itself.")),
    category: string("What was done, as lower-case words: `post_delete`."),
    description: string("What was done, for people to read."),
    subjectType: nullable(string("Type of what it was done to, as in this schema: `Post`.")),
    subjectId: nullable(int("Number of what it was done to, which may be gone by now.")),
    createdAt: date("When it was done."),
    updatedAt: date("The same time: entries never change."),
  },
);

export const ModActionSearch = inputType(
  "ModActionSearch",
  "Which entries of the moderation log to list.",
  allNullable({
    id: ints("Entries of these numbers."),
    creatorId: ints("What these users did."),
    creatorName: string("What the user of this name did."),
    category: string("Entries of this category: `post_delete`."),
    descriptionMatches: string("Text somewhere in the description; `*` stands for anything."),
    subjectType: string("What was done to things of this type: `Post`."),
    subjectId: ints("What was done to things of these numbers."),
  }),
);
