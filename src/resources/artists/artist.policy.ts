/** Rights on artists: members edit them, Builders delete and undelete them, Admins ban them. */
import { admin, builder, member, withNote, open, right, type Rights } from "../shared/policy.js";

/** Creating, editing and reverting. */
export const mayEdit = member;
export const mayDelete = builder;
export const mayBan = admin;

/** Bans are by name, so that only Admins rename a banned artist. */
export const mayRename = right<{ isBanned: boolean }>({
  minimum: "member",
  also: ({ isBanned }) => (isBanned ? "admin" : null),
});

/** Whether an edit's `is_active` counts. */
export const maySetActive = builder;

const ACTIVE = "`is_active` is ignored below Builder.";

export const artistRights: Rights = {
  reads: {
    artist: open,
    artists: open,
    artistUrls: open,
    artistVersion: open,
    artistVersions: open,
    bannedArtists: open,
  },
  writes: {
    banArtist: mayBan,
    createArtist: withNote(mayEdit, ACTIVE),
    deleteArtist: mayDelete,
    revertArtist: withNote(mayEdit, "To another name of a banned artist: Admins only."),
    unbanArtist: mayBan,
    undeleteArtist: mayDelete,
    updateArtist: withNote(mayEdit, `${ACTIVE} Another name for a banned artist: Admins only.`),
  },
};
