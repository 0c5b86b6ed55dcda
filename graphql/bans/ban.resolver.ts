import { boolean, date, int, ints, nested, nullable, objectType, string } from "../shared/fields.js";
import { list, mutation, one, resolversOf } from "../shared/operations.js";
import { relation } from "../shared/record-fields.js";
import { User } from "../users/user.type.js";

const Ban = objectType("Ban", "A ban of a user, who can still read but no longer write.", {
  id: int("ID of the ban."),
  userId: int("ID of the banned user."),
  userName: string("Name of the banned user."),
  bannerId: int("ID of the user who issued the ban."),
  bannerName: string("Name of the user who issued the ban."),
  reason: string("The reason."),
  expiresAt: nullable(date("When the ban expires; null if it is permanent.")),
  isExpired: boolean("Whether the ban has expired."),
  createdAt: date("When the ban was created."),
  updatedAt: date("When it was last updated."),
});

const userId = int("ID of the user, whose level must be below yours.");

const BanUserPayload = objectType("BanUserPayload", "The new ban and the banned user.", {
  ban: nested(() => Ban, "The new ban."),
  user: nullable(nested(() => User, "The banned user.")),
});

const UnbanUserPayload = objectType("UnbanUserPayload", "The ended ban and the user.", {
  ban: nullable(nested(() => Ban, "The ended ban; null if there is no record of it.")),
  user: nullable(nested(() => User, "The unbanned user.")),
});

resolversOf(Ban, {
  bans: list({
    of: Ban,
    description: "Lists bans, newest first.",
    search: {
      id: ints("Bans with these IDs."),
      userId: ints("Bans of these users."),
      userName: string("Bans of the user with this name."),
      bannerId: ints("Bans by these users."),
      bannerName: string("Bans by the user with this name."),
      reasonMatches: string("Text contained in the reason; with `*`, a pattern that matches the whole reason."),
      expired: boolean("Only expired (true) or active (false) bans."),
    },
    find: ({ board }, search, page) => board.bans.search(search, page),
  }),

  ban: one({ of: Ban, description: "One ban.", id: "ID of the ban." }),

  user: relation(() => User, "The banned user."),
  banner: relation(() => User, "The user who issued the ban."),

  banUser: mutation({
    description: "Bans a user of a lower level from writing.",
    input: [
      {
        userId,
        reason: string("The reason; at most 500 characters."),
        duration: nullable(int("Duration in days; permanent if absent.")),
      },
      "A ban.",
      "The user, the reason and the duration.",
    ],
    payload: BanUserPayload,
    resolve: async (context, input) => {
      const ban = await context.board.bans.create(context, input);
      return { ban, user: await context.loaders.user.load(input.userId) };
    },
  }),

  unbanUser: mutation({
    description: "Unbans a user.",
    input: [{ userId }, "The user to unban.", "The user."],
    payload: UnbanUserPayload,
    resolve: async (context, input) => {
      const ban = await context.board.bans.end(context, input.userId);
      return { ban, user: await context.loaders.user.load(input.userId) };
    },
  }),
});
