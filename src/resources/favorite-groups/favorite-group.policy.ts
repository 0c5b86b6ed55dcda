/** Rights on favorite groups: only their creators edit them; the maximum number per user depends on the level. */
import { from, meets, withNote, member, right, type Rights } from "../shared/policy.js";
import type { Viewer } from "../../runtime/auth/viewer.js";

interface Group {
  creatorId: number;
  isPublic: boolean;
}

const owner = ({ creatorId }: Group): number => creatorId;

export const mayCreate = member;

/** Editing, reverting and deleting. */
export const mayUpdate = right<Group>({
  minimum: "member",
  others: "nobody",
  owner,
  note: "A private group of another user is not found (404).",
});

/** For others, a private group does not exist. */
export const maySee = right<Group>({
  minimum: "public",
  own: "account",
  others: "nobody",
  owner,
  onlyIf: ({ isPublic }) => !isPublic,
  note: "If the group is private.",
});

export const groupLimit = (viewer: Viewer): number => (meets(viewer, "platinum") ? 10 : meets(viewer, "gold") ? 5 : 3);

const listed = from("public", "Private groups are visible to their creator only.");

export const favoriteGroupRights: Rights = {
  reads: {
    favoriteGroup: listed,
    favoriteGroups: listed,
    favoriteGroupVersion: listed,
    favoriteGroupVersions: listed,
  },
  writes: {
    addPostToFavoriteGroup: mayUpdate,
    createFavoriteGroup: withNote(mayCreate, "At most 3 groups per user; 5 for Gold, 10 for Platinum and above (420)."),
    deleteFavoriteGroup: mayUpdate,
    removePostFromFavoriteGroup: mayUpdate,
    revertFavoriteGroup: mayUpdate,
    updateFavoriteGroup: mayUpdate,
  },
  fields: { FavoriteGroup: maySee, FavoriteGroupVersion: maySee },
};
