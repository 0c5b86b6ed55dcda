import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { ModActionRecord } from "../../src/resources/mod-actions/mod-action.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { ModAction, ModActionConnection, ModActionSearch } from "./mod-action.type.js";

@Resolver(() => ModAction)
export class ModActionResolver {
  @Public()
  @Query(() => ModActionConnection, {
    description: "Lists what the staff did, newest first.",
    complexity: listComplexity,
  })
  async modActions(
    @Arg("search", () => ModActionSearch, { nullable: true, description: "Which entries to list." })
    search: ModActionSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<ConnectionOf<ModActionRecord>> {
    return toConnection(await board.modActions.search(viewer, search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => ModAction, { nullable: true, description: "One entry of the moderation log." })
  modAction(
    @Arg("id", () => Int, { description: "Number of the entry." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<ModActionRecord | null> {
    return loaders.modAction.load(id);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who did it; null for the board itself." })
  creator(@Root() action: ModActionRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> | null {
    return action.creatorId === null ? null : loaders.user.load(action.creatorId);
  }
}
