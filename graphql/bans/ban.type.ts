import { boolean, date, int, nullable, objectType, string } from "../shared/fields.js";

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
