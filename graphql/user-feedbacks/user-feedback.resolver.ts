import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { UserFeedbackRecord } from "../../src/resources/user-feedbacks/user-feedback.service.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { UserFeedback, UserFeedbackConnection, UserFeedbackSearch } from "./user-feedback.type.js";

@Resolver(() => UserFeedback)
export class UserFeedbackResolver {
  @Public()
  @Query(() => UserFeedbackConnection, {
    description: "Lists feedback about users, newest first.",
    complexity: listComplexity,
  })
  async userFeedbacks(
    @Arg("search", () => UserFeedbackSearch, { nullable: true, description: "Which feedback to list." })
    search: UserFeedbackSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<UserFeedbackRecord>> {
    return toConnection(await board.userFeedbacks.search(search ?? {}, toPageRequest(list)));
  }

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
