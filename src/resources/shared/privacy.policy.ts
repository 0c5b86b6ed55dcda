/** Rights on private records: votes, and private favorites. Users always see their own. */
import { admin, from, member, right, type Rights } from "./policy.js";

export const maySeePrivateFavorites = admin;
export const maySeeVotes = admin;

export const favoriteRights: Rights = {
  reads: { favorites: from("public", "Private favorites are visible to their user and to Admins.") },
  writes: { createFavorite: member, deleteFavorite: from("member", "Your own favorite.") },
  fields: {
    Favorite: right<{ userId: number }>({
      gate: "public",
      own: "account",
      others: maySeePrivateFavorites.permission.gate,
      owner: ({ userId }) => userId,
      note: "If the user's favorites are private.",
    }),
  },
};

/** Which votes are listed. */
export const listedVotes = from("public", "Your own; for Admins, everybody's.");
