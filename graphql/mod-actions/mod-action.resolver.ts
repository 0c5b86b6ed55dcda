import { date, int, ints, nullable, objectType, string } from "../shared/fields.js";
import { list, one, resolversOf } from "../shared/operations.js";
import { relation } from "../shared/record-fields.js";
import { User } from "../users/user.type.js";

const ModAction = objectType("ModAction", "An entry of the moderation log, which is public and append-only.", {
  id: int("ID of the entry."),
  creatorId: nullable(int("The user who took the action; null for the system.")),
  creatorName: nullable(string("Name of the user who took the action; null for the system.")),
  category: string("Category of the action, for example `post_delete`."),
  description: string("Human-readable description of the action."),
  subjectType: nullable(string("Type of the affected record in this schema, for example `Post`.")),
  subjectId: nullable(int("ID of the affected record, which may no longer exist.")),
  createdAt: date("When the action was taken."),
  updatedAt: date("Same as `createdAt`, because entries never change."),
});

resolversOf(ModAction, {
  modActions: list({
    of: ModAction,
    description: "Lists the moderation log, newest first.",
    search: {
      id: ints("Entries with these IDs."),
      creatorId: ints("Entries of these users."),
      creatorName: string("Entries of the user with this name."),
      category: string("Entries of this category, for example `post_delete`."),
      descriptionMatches: string("Text contained in the description; `*` matches anything."),
      subjectType: string("Entries about records of this type, for example `Post`."),
      subjectId: ints("Entries about records with these IDs."),
    },
    find: ({ board, viewer }, search, page) => board.modActions.search(viewer, search, page),
  }),

  modAction: one({ of: ModAction, description: "One entry of the moderation log.", id: "ID of the entry." }),

  creator: relation(() => User, "The user who took the action; null for the system."),
});
