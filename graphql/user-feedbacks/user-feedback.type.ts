import { registerEnumType } from "type-graphql";
import { int, string, date, oneOf, ints, allNullable, objectType, inputType } from "../shared/fields.js";

export const FeedbackCategory = { POSITIVE: "positive", NEUTRAL: "neutral", NEGATIVE: "negative" } as const;
registerEnumType(FeedbackCategory, {
  name: "FeedbackCategory",
  description: "Whether feedback speaks for a user.",
  valuesConfig: {
    POSITIVE: { description: "It does." },
    NEUTRAL: { description: "Neither for nor against." },
    NEGATIVE: { description: "It speaks against; what a ban leaves." },
  },
});

export const UserFeedback = objectType("UserFeedback", "Feedback about a user.", {
  id: int("Number of the feedback."),
  userId: int("Whom it is about."),
  creatorId: int("Who wrote it."),
  category: oneOf(FeedbackCategory, "Whether it speaks for the user."),
  body: string("The text."),
  createdAt: date("When it was written."),
  updatedAt: date("When it was last changed."),
});

export const UserFeedbackSearch = inputType(
  "UserFeedbackSearch",
  "Which feedback to list.",
  allNullable({
    id: ints("Feedback of these numbers."),
    userId: ints("Feedback about these users."),
    userName: string("Feedback about the user of this name."),
    creatorId: ints("Feedback written by these users."),
    creatorName: string("Feedback written by the user of this name."),
    category: oneOf(FeedbackCategory, "Feedback of this category."),
  }),
);
