/** What users keep to themselves: their votes, and favorites that are private. Everybody sees the own ones. */
import { admin, from, member, right, type Rights } from "./policy.js";

export const maySeePrivateFavorites = admin;
export const maySeeVotes = admin;

export const favoriteRights: Rights = {
  reads: { favorites: from("public", "Favorites that their user keeps private are for that user and Admins.") },
  writes: { createFavorite: member, deleteFavorite: from("member", "One's own favorite.") },
  fields: {
    Favorite: right<{ userId: number }>({
      gate: "public",
      own: "account",
      others: maySeePrivateFavorites.permission.gate,
      owner: ({ userId }) => userId,
      note: "Of a user who keeps them private.",
    }),
  },
};

/** Of lists of votes: which of them are listed. */
export const listedVotes = from("public", "One's own; everybody's for Admins.");
