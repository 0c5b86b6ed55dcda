import { User } from "../users/user.type.js";
import { UserFeedback, UserFeedbackSearch } from "./user-feedback.type.js";
import { resolver, list, query, relation } from "../shared/operations.js";
import { int, nested, nullable } from "../shared/fields.js";

export const UserFeedbackResolver = resolver(UserFeedback, {
  userFeedbacks: list({
    of: UserFeedback,
    description: "Lists feedback about users, newest first.",
    search: [UserFeedbackSearch, "Filters for the list of feedback."],
    find: ({ board }, search, page) => board.userFeedbacks.search(search, page),
  }),

  userFeedback: query({
    returns: nullable(nested(() => UserFeedback, "One feedback about a user.")),
    args: { id: int("ID of the feedback.") },
    resolve: ({ board }, { id }) => board.userFeedbacks.byId(id),
  }),

  user: relation(() => User, "The user that it is about."),

  creator: relation(() => User, "The user who wrote it."),
});
