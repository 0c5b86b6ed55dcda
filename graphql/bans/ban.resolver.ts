import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { BanRecord } from "../../src/resources/bans/ban.service.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import {
  Ban,
  BanConnection,
  BanSearch,
  BanUserInput,
  BanUserPayload,
  UnbanUserInput,
  UnbanUserPayload,
} from "./ban.type.js";

@Resolver(() => Ban)
export class BanResolver {
  @Public()
  @Query(() => BanConnection, { description: "Lists bans, newest first.", complexity: listComplexity })
  async bans(
    @Arg("search", () => BanSearch, { nullable: true, description: "Which bans to list." }) search: BanSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<BanRecord>> {
    return toConnection(await board.bans.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => Ban, { nullable: true, description: "One ban." })
  ban(
    @Arg("id", () => Int, { description: "Number of the ban." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<BanRecord | null> {
    return loaders.ban.load(id);
  }

  @RequireLevel(Level.Moderator)
  @Mutation(() => BanUserPayload, { description: "Bans a user below your own level from writing." })
  async banUser(
    @Arg("input", () => BanUserInput, { description: "User, reason and duration." }) input: BanUserInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ ban: BanRecord; user: UserRecord | null }> {
    const ban = await context.board.bans.create(context, input);
    return { ban, user: await context.loaders.user.load(input.userId) };
  }

  @RequireLevel(Level.Moderator)
  @Mutation(() => UnbanUserPayload, { description: "Ends a user's ban." })
  async unbanUser(
    @Arg("input", () => UnbanUserInput, { description: "The user." }) { userId }: UnbanUserInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ ban: BanRecord | null; user: UserRecord | null }> {
    const ban = await context.board.bans.end(context, userId);
    return { ban, user: await context.loaders.user.load(userId) };
  }

  @FieldResolver(() => User, { nullable: true, description: "The banned user." })
  user(@Root() ban: BanRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(ban.userId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who banned them." })
  banner(@Root() ban: BanRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(ban.bannerId);
  }
}
