import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { UserFeedbackRecord } from "../../src/resources/user-feedbacks/user-feedback.service.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { User } from "../users/user.type.js";
import { UserFeedback, UserFeedbackSearch } from "./user-feedback.type.js";
import { resolver, list } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

export const UserFeedbackOperations = resolver(UserFeedback, {
userFeedbacks: list({ of: UserFeedback, description: "Lists feedback about users, newest first.", allow: anybody, search: [UserFeedbackSearch, "Which feedback to list."], find: ({ board }, search, page) => board.userFeedbacks.search(search, page) }),
});

@Resolver(() => UserFeedback)
export class UserFeedbackResolver {

  @Public()
  @Query(() => UserFeedback, { nullable: true, description: "Feedback about a user." })
  userFeedback(
    @Arg("id", () => Int, { description: "Number of the feedback." }) id: number,
    @Ctx() { board }: GraphQLContext,
  ): Promise<UserFeedbackRecord | null> {
    return board.userFeedbacks.byId(id);
  }

  @FieldResolver(() => User, { nullable: true, description: "Whom it is about." })
  user(@Root() { userId }: UserFeedbackRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(userId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who wrote it." })
  creator(@Root() { creatorId }: UserFeedbackRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(creatorId);
  }
}
