import { int, string, boolean, date, nullable, objectType } from "../shared/fields.js";

export const UserActivity = objectType(
  "UserActivity",
  "How much a user has done, beyond the counts in the user itself.",
  {
    wikiPageVersionCount: int("Edits of wiki pages."),
    artistVersionCount: int("Edits of artists."),
    artistCommentaryVersionCount: int("Edits of artist commentaries."),
    poolVersionCount: int("Edits of pools."),
    forumPostCount: int("Forum posts written in topics that everybody sees."),
    commentCount: int("Comments written."),
    appealCount: int("Appeals made."),
    flagCount: nullable(int("Flags raised; for the user and Moderators, since who flags is nobody else's business.")),
    positiveFeedbackCount: int("Good words of others about the user."),
    neutralFeedbackCount: int("Remarks of others about the user."),
    negativeFeedbackCount: int("Complaints of others about the user."),
  },
);

export const OwnSettings = objectType("OwnSettings", "What only the user sees of the own account.", {
  apiKey: string("The API key. It is as good as the password: keep it secret."),
  email: nullable(string("Address for mail.")),
  lastLoggedInAt: nullable(date("When the user was last here.")),
  blacklistedTags: string("Searches of posts not to be shown, one a line."),
  favoriteTags: string("Tags at hand when editing."),
  commentThreshold: int("Comments with a lower score are folded away."),
  defaultImageSize: string("`large` or `original`."),
  timeZone: string("Time zone that pages show times in."),
  perPage: int("Posts a page."),
  enablePrivateFavorites: boolean("Whether the favorites are hidden from others."),
});

export const User = objectType("User", "An account.", {
  id: int("Number of the user."),
  name: string("Name, as the user wrote it."),
  level: int("Level, as a number: 20 Member to 50 Admin."),
  createdAt: date("When the account was made."),
  inviterId: nullable(int("Who invited the user.")),
  baseUploadLimit: int("Base of the upload limit; 0 for the usual one."),
  postUploadCount: int("Posts uploaded."),
  postUpdateCount: int("Edits of posts, uploads included."),
  noteUpdateCount: int("Edits of notes."),
  favoriteCount: int("Favorites."),
  isBanned: boolean("Whether the user is banned."),
  isDeleted: boolean("Whether the account was deleted."),
});
export type User = InstanceType<typeof User>;
