import { User } from "../users/user.type.js";
import {
  int,
  string,
  boolean,
  date,
  nested,
  ints,
  nullable,
  allNullable,
  objectType,
  inputType,
} from "../shared/fields.js";

export const Ban = objectType("Ban", "A user's ban: reading is allowed, writing is not.", {
  id: int("Number of the ban."),
  userId: int("Number of the banned user."),
  userName: string("Name of the banned user."),
  bannerId: int("Number of who banned them."),
  bannerName: string("Name of who banned them."),
  reason: string("Why."),
  expiresAt: nullable(date("When it ends or ended; null for ever.")),
  isExpired: boolean("Whether it has ended."),
  createdAt: date("When it began."),
  updatedAt: date("When it last changed."),
});

export const BanSearch = inputType(
  "BanSearch",
  "Which bans to list.",
  allNullable({
    id: ints("Bans of these numbers."),
    userId: ints("Bans of these users."),
    userName: string("Bans of the user of this name."),
    bannerId: ints("Bans by these users."),
    bannerName: string("Bans by the user of this name."),
    reasonMatches: string("Text in the reason; with `*` a pattern of the whole reason."),
    expired: boolean("Bans that have ended, or that have not."),
  }),
);

export const BanUserInput = inputType("BanUserInput", "A ban.", {
  userId: int("Number of the user, whose level is below yours."),
  reason: string("Why; at most 500 characters."),
  duration: nullable(int("For how many days; for ever by default.")),
});
export type BanUserInput = InstanceType<typeof BanUserInput>;

export const UnbanUserInput = inputType("UnbanUserInput", "Whose ban to end.", {
  userId: int("Number of the user, whose level is below yours."),
});
export type UnbanUserInput = InstanceType<typeof UnbanUserInput>;

export const BanUserPayload = objectType("BanUserPayload", "The new ban, and the user.", {
  ban: nested(() => Ban, "The new ban."),
  user: nullable(nested(() => User, "The user, now banned.")),
});

export const UnbanUserPayload = objectType(
  "UnbanUserPayload",
  "The ban that has ended, and the user.",
  allNullable({
    ban: nested(() => Ban, "The ban that has ended; null when there is no record of it."),
    user: nested(() => User, "The user, no longer banned."),
  }),
);
