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
  optionalInput,
} from "../shared/fields.js";

export const Ban = objectType("Ban", "A ban of a user, who can still read but no longer write.", {
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

export const BanSearch = optionalInput("BanSearch", "Filters for the list of bans.", {
  id: ints("Bans with these IDs."),
  userId: ints("Bans of these users."),
  userName: string("Bans of the user with this name."),
  bannerId: ints("Bans by these users."),
  bannerName: string("Bans by the user with this name."),
  reasonMatches: string("Text contained in the reason; with `*`, a pattern that matches the whole reason."),
  expired: boolean("Only expired (true) or active (false) bans."),
});

export const BanUserInput = inputType("BanUserInput", "A ban.", {
  userId: int("ID of the user, whose level must be below yours."),
  reason: string("The reason; at most 500 characters."),
  duration: nullable(int("Duration in days; permanent if absent.")),
});

export const UnbanUserInput = inputType("UnbanUserInput", "The user to unban.", {
  userId: int("ID of the user, whose level must be below yours."),
});

export const BanUserPayload = objectType("BanUserPayload", "The new ban and the banned user.", {
  ban: nested(() => Ban, "The new ban."),
  user: nullable(nested(() => User, "The banned user.")),
});

export const UnbanUserPayload = objectType(
  "UnbanUserPayload",
  "The ended ban and the user.",
  allNullable({
    ban: nested(() => Ban, "The ended ban; null if there is no record of it."),
    user: nested(() => User, "The unbanned user."),
  }),
);
