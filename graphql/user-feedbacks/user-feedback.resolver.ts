import { date, enumType, int, ints, objectType, oneOf, string } from "../shared/fields.js";
import { list, one, resolversOf } from "../shared/operations.js";
import { relation } from "../shared/record-fields.js";
import { User } from "../users/user.type.js";

const FeedbackCategory = enumType("FeedbackCategory", "Category of feedback.", {
  POSITIVE: ["positive", "Positive."],
  NEUTRAL: ["neutral", "Neutral."],
  NEGATIVE: ["negative", "Negative; every ban creates one."],
});

const UserFeedback = objectType("UserFeedback", "One feedback about a user.", {
  id: int("ID of the feedback."),
  userId: int("The user that it is about."),
  creatorId: int("The user who wrote it."),
  category: oneOf(FeedbackCategory, "The category."),
  body: string("The text."),
  createdAt: date("When it was created."),
  updatedAt: date("When it was last updated."),
});

resolversOf(UserFeedback, {
  userFeedbacks: list({
    of: UserFeedback,
    description: "Lists feedback about users, newest first.",
    search: {
      id: ints("Feedback with these IDs."),
      userId: ints("Feedback about these users."),
      userName: string("Feedback about the user with this name."),
      creatorId: ints("Feedback written by these users."),
      creatorName: string("Feedback written by the user with this name."),
      category: oneOf(FeedbackCategory, "Feedback of this category."),
    },
    find: ({ board }, search, page) => board.userFeedbacks.search(search, page),
  }),

  userFeedback: one({ of: UserFeedback, description: "One feedback about a user.", id: "ID of the feedback." }),

  user: relation(() => User, "The user that it is about."),
  creator: relation(() => User, "The user who wrote it."),
});
