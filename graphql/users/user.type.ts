import { int, string, boolean, date, nullable, objectType } from "../shared/fields.js";

export const UserActivity = objectType("UserActivity", "Further statistics of a user.", {
  wikiPageVersionCount: int("Number of wiki page edits."),
  artistVersionCount: int("Number of artist edits."),
  artistCommentaryVersionCount: int("Number of artist commentary edits."),
  poolVersionCount: int("Number of pool edits."),
  forumPostCount: int("Number of forum posts in topics visible to everybody."),
  commentCount: int("Number of comments."),
  appealCount: int("Number of appeals."),
  flagCount: nullable(
    int("Number of flags; visible to the user and to Moderators and above, since flaggers are anonymous."),
  ),
  positiveFeedbackCount: int("Number of positive feedbacks."),
  neutralFeedbackCount: int("Number of neutral feedbacks."),
  negativeFeedbackCount: int("Number of negative feedbacks."),
});

export const OwnSettings = objectType("OwnSettings", "Settings of an account, visible only to its user.", {
  apiKey: string("The API key. It grants the same access as the password, so keep it secret."),
  email: nullable(string("Email address.")),
  lastLoggedInAt: nullable(date("When the user last signed in by the password.")),
  blacklistedTags: string("Searches whose posts are hidden, one per line."),
  favoriteTags: string("Frequently used tags, offered when editing."),
  commentThreshold: int("Comments with a lower score are collapsed."),
  defaultImageSize: string("`large` or `original`."),
  timeZone: string("Time zone of displayed times."),
  perPage: int("Posts per page."),
  enablePrivateFavorites: boolean("Whether the favorites are private."),
});

export const User = objectType("User", "A user.", {
  id: int("ID of the user."),
  name: string("The name, with the user's capitalization."),
  level: int("Level as a number, from 20 (Member) to 50 (Admin)."),
  createdAt: date("When the account was created."),
  inviterId: nullable(int("The user who invited this one.")),
  baseUploadLimit: int("Base of the upload limit; 0 for the default."),
  postUploadCount: int("Number of uploaded posts."),
  postUpdateCount: int("Number of post edits, including uploads."),
  noteUpdateCount: int("Number of note edits."),
  isBanned: boolean("Whether the user is banned."),
  isDeleted: boolean("Whether the account was closed."),
});
export type User = InstanceType<typeof User>;
