import { User } from "../users/user.type.js";
import { ModAction, ModActionSearch } from "./mod-action.type.js";
import { resolver, list, one, relation } from "../shared/operations.js";

export const ModActionResolver = resolver(ModAction, {
  modActions: list({
    of: ModAction,
    description: "Lists what the staff did, newest first.",
    search: [ModActionSearch, "Which entries to list."],
    find: ({ board, viewer }, search, page) => board.modActions.search(viewer, search, page),
  }),

  modAction: one({
    of: ModAction,
    description: "One entry of the moderation log.",
    id: "Number of the entry.",
  }),

  creator: relation(() => User, "Who did it; null for the board itself."),
});
