import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { BanRecord } from "../../src/resources/bans/ban.service.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { RequireLevel } from "../shared/access.js";
import { User } from "../users/user.type.js";
import { Ban, BanSearch, BanUserInput, BanUserPayload, UnbanUserInput, UnbanUserPayload } from "./ban.type.js";
import { resolver, list, one, relation } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

export const BanOperations = resolver(Ban, {
bans: list({ of: Ban, description: "Lists bans, newest first.", allow: anybody, search: [BanSearch, "Which bans to list."], find: ({ board }, search, page) => board.bans.search(search, page) }),

ban: one({ of: Ban, description: "One ban.", id: "Number of the ban.", allow: anybody }),

user: relation(() => User, "The banned user."),

banner: relation(() => User, "Who banned them."),
});

@Resolver(() => Ban)
export class BanResolver {

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
}
