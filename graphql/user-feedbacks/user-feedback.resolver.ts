import { Arg, Ctx, Int, Query, Resolver } from "type-graphql";
import type { UserFeedbackRecord } from "../../src/resources/user-feedbacks/user-feedback.service.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { User } from "../users/user.type.js";
import { UserFeedback, UserFeedbackSearch } from "./user-feedback.type.js";
import { resolver, list, computed } from "../shared/operations.js";
import { nested, nullable } from "../shared/fields.js";

export const UserFeedbackOperations = resolver(UserFeedback, {
  userFeedbacks: list({
    of: UserFeedback,
    description: "Lists feedback about users, newest first.",
    search: [UserFeedbackSearch, "Filters for the list of feedback."],
    find: ({ board }, search, page) => board.userFeedbacks.search(search, page),
  }),

  user: computed(
    nullable(nested(() => User, "The user that it is about.")),
    ({ userId }: UserFeedbackRecord, { loaders }) => loaders.user.load(userId),
  ),

  creator: computed(
    nullable(nested(() => User, "The user who wrote it.")),
    ({ creatorId }: UserFeedbackRecord, { loaders }) => loaders.user.load(creatorId),
  ),
});

@Resolver(() => UserFeedback)
export class UserFeedbackResolver {
  @Gated()
  @Query(() => UserFeedback, { nullable: true, description: "One feedback about a user." })
  userFeedback(
    @Arg("id", () => Int, { description: "ID of the feedback." }) id: number,
    @Ctx() { board }: GraphQLContext,
  ): Promise<UserFeedbackRecord | null> {
    return board.userFeedbacks.byId(id);
  }
}
