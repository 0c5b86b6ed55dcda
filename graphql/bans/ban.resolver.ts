import { User } from "../users/user.type.js";
import { Ban, BanSearch, BanUserInput, BanUserPayload, UnbanUserInput, UnbanUserPayload } from "./ban.type.js";
import { resolver, list, one, relation, mutation } from "../shared/operations.js";

export const BanResolver = resolver(Ban, {
  bans: list({
    of: Ban,
    description: "Lists bans, newest first.",
    search: [BanSearch, "Which bans to list."],
    find: ({ board }, search, page) => board.bans.search(search, page),
  }),

  ban: one({ of: Ban, description: "One ban.", id: "Number of the ban." }),

  user: relation(() => User, "The banned user."),

  banner: relation(() => User, "Who banned them."),

  banUser: mutation({
    description: "Bans a user below your own level from writing.",
    input: [BanUserInput, "User, reason and duration."],
    payload: BanUserPayload,
    resolve: async (context, input) => {
      const ban = await context.board.bans.create(context, input);
      return { ban, user: await context.loaders.user.load(input.userId) };
    },
  }),

  unbanUser: mutation({
    description: "Ends a user's ban.",
    input: [UnbanUserInput, "The user."],
    payload: UnbanUserPayload,
    resolve: async (context, { userId }) => {
      const ban = await context.board.bans.end(context, userId);
      return { ban, user: await context.loaders.user.load(userId) };
    },
  }),
});
