import { User } from "../users/user.type.js";
import { Ban, BanSearch, BanUserInput, BanUserPayload, UnbanUserInput, UnbanUserPayload } from "./ban.type.js";
import { resolver, list, one, relation, mutation } from "../shared/operations.js";

export const BanResolver = resolver(Ban, {
  bans: list({
    of: Ban,
    description: "Lists bans, newest first.",
    search: [BanSearch, "Filters for the list of bans."],
    find: ({ board }, search, page) => board.bans.search(search, page),
  }),

  ban: one({ of: Ban, description: "One ban.", id: "ID of the ban." }),

  user: relation(() => User, "The banned user."),

  banner: relation(() => User, "The user who issued the ban."),

  banUser: mutation({
    description: "Bans a user of a lower level from writing.",
    input: [BanUserInput, "The user, the reason and the duration."],
    payload: BanUserPayload,
    resolve: async (context, input) => {
      const ban = await context.board.bans.create(context, input);
      return { ban, user: await context.loaders.user.load(input.userId) };
    },
  }),

  unbanUser: mutation({
    description: "Unbans a user.",
    input: [UnbanUserInput, "The user."],
    payload: UnbanUserPayload,
    resolve: async (context, { userId }) => {
      const ban = await context.board.bans.end(context, userId);
      return { ban, user: await context.loaders.user.load(userId) };
    },
  }),
});
