/** Rights on what is private: votes, private favorites, and the texts of deleted records. Users always see their own. */
import { admin, from, janitor, member, right, type Rights } from "./policy.js";

export const maySeePrivateFavorites = admin;
export const maySeeVotes = admin;

const OF_PRIVATE_FAVORITES = {
  minimum: "public",
  own: "account",
  others: maySeePrivateFavorites.permission.minimum,
  note: "If the user's favorites are private.",
} as const;

/** The number of a user's favorites: with each one, it changes at the same time as that of a post. */
export const maySeeFavoriteCount = right<{ id: number; enablePrivateFavorites: boolean }>({
  ...OF_PRIVATE_FAVORITES,
  owner: ({ id }) => id,
  onlyIf: ({ enablePrivateFavorites }) => enablePrivateFavorites,
});

export const favoriteRights: Rights = {
  reads: { favorites: from("public", "Private favorites are visible to their user and to Admins.") },
  writes: { createFavorite: member, deleteFavorite: from("member", "Your own favorite.") },
  fields: {
    Favorite: right<{ userId: number }>({ ...OF_PRIVATE_FAVORITES, owner: ({ userId }) => userId }),
    "User.favoriteCount": maySeeFavoriteCount,
  },
};

export const listedVotes = from("public", "Your own; for Admins, everybody's.");

/** Staff can read and search the texts of all deleted records. */
export const maySeeDeletedTexts = janitor;

/** Staff and creators can read the text of a deleted record. @param word the record's */
export const maySeeTextOf = (word: string) =>
  right<{ creatorId: number; isDeleted: boolean }>({
    minimum: "public",
    own: "account",
    others: maySeeDeletedTexts.permission.minimum,
    owner: ({ creatorId }) => creatorId,
    onlyIf: ({ isDeleted }) => isDeleted,
    note: `On a deleted ${word}.`,
  });
