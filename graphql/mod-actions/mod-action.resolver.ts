import { User } from "../users/user.type.js";
import { ModAction, ModActionSearch } from "./mod-action.type.js";
import { resolver, list, one, relation } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

export const ModActionResolver = resolver(ModAction, {
  modActions: list({
    of: ModAction,
    description: "Lists what the staff did, newest first.",
    allow: anybody,
    search: [ModActionSearch, "Which entries to list."],
    find: ({ board, viewer }, search, page) => board.modActions.search(viewer, search, page),
  }),

  modAction: one({
    of: ModAction,
    description: "One entry of the moderation log.",
    id: "Number of the entry.",
    allow: anybody,
  }),

  creator: relation(() => User, "Who did it; null for the board itself."),
});
