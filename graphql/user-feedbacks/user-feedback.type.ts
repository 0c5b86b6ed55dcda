import { int, string, date, oneOf, ints, objectType, enumType, optionalInput } from "../shared/fields.js";

export const FeedbackCategory = enumType("FeedbackCategory", "Category of feedback.", {
  POSITIVE: ["positive", "Positive."],
  NEUTRAL: ["neutral", "Neutral."],
  NEGATIVE: ["negative", "Negative; every ban creates one."],
});

export const UserFeedback = objectType("UserFeedback", "One feedback about a user.", {
  id: int("ID of the feedback."),
  userId: int("The user that it is about."),
  creatorId: int("The user who wrote it."),
  category: oneOf(FeedbackCategory, "The category."),
  body: string("The text."),
  createdAt: date("When it was created."),
  updatedAt: date("When it was last updated."),
});

export const UserFeedbackSearch = optionalInput("UserFeedbackSearch", "Filters for the list of feedback.", {
  id: ints("Feedback with these IDs."),
  userId: ints("Feedback about these users."),
  userName: string("Feedback about the user of this name."),
  creatorId: ints("Feedback written by these users."),
  creatorName: string("Feedback written by the user with this name."),
  category: oneOf(FeedbackCategory, "Feedback of this category."),
});
