import { Field, InputType, Int, ObjectType, registerEnumType } from "type-graphql";
import type {
  FeedbackCategory as CategoryWord,
  UserFeedbackSearch as SearchAttributes,
} from "../../src/resources/user-feedbacks/user-feedback.service.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";

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

@ObjectType({ description: "Feedback about a user." })
export class UserFeedback {
  @Field(() => Int, { description: "Number of the feedback." })
  id!: number;

  @Field(() => Int, { description: "Whom it is about." })
  userId!: number;

  @Field(() => User, { nullable: true, description: "Whom it is about." })
  user!: User | null;

  @Field(() => Int, { description: "Who wrote it." })
  creatorId!: number;

  @Field(() => User, { nullable: true, description: "Who wrote it." })
  creator!: User | null;

  @Field(() => FeedbackCategory, { description: "Whether it speaks for the user." })
  category!: CategoryWord;

  @Field(() => String, { description: "The text." })
  body!: string;

  @Field(() => Date, { description: "When it was written." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it was last changed." })
  updatedAt!: Date;
}

export const UserFeedbackConnection = Connection(UserFeedback, "UserFeedback");

@InputType({ description: "Which feedback to list." })
export class UserFeedbackSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Feedback of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Feedback about these users." })
  userId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Feedback about the user of this name." })
  userName?: string | null;

  @Field(() => [Int], { nullable: true, description: "Feedback written by these users." })
  creatorId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Feedback written by the user of this name." })
  creatorName?: string | null;

  @Field(() => FeedbackCategory, { nullable: true, description: "Feedback of this category." })
  category?: CategoryWord | null;
}
