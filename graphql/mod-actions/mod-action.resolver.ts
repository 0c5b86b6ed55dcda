import { ints, string } from "../shared/fields.js";
import { list, one, resolver } from "../shared/operations.js";
import { relation } from "../shared/record-fields.js";
import { User } from "../users/user.type.js";
import { ModAction } from "./mod-action.type.js";

export const ModActionResolver = resolver(ModAction, {
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
