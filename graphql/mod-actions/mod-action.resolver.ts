import { User } from "../users/user.type.js";
import { ModAction, ModActionSearch } from "./mod-action.type.js";
import { resolver, list, one, relation } from "../shared/operations.js";

export const ModActionResolver = resolver(ModAction, {
  modActions: list({
    of: ModAction,
    description: "Lists the moderation log, newest first.",
    search: [ModActionSearch, "Filters for the list of entries."],
    find: ({ board, viewer }, search, page) => board.modActions.search(viewer, search, page),
  }),

  modAction: one({
    of: ModAction,
    description: "One entry of the moderation log.",
    id: "ID of the entry.",
  }),

  creator: relation(() => User, "The user who took the action; null for the system."),
});
