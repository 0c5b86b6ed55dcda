/** Who may do what with artists: members write them, Builders take them away and bring them back, Admins ban them. */
import { admin, builder, member, noted, open, right, type Rights } from "../shared/policy.js";

export const mayCreate = member;
export const mayUpdate = member;
export const mayRevert = member;
export const mayDelete = builder;
export const mayBan = admin;

/** The ban of an artist hangs on the name. */
export const mayRename = right<{ isBanned: boolean }>({
  gate: "member",
  also: ({ isBanned }) => (isBanned ? "admin" : null),
});

/** Whether the attribute is heeded in an edit. */
export const maySetActive = builder;

const ACTIVE = "`is_active` is ignored below Builder.";

export const artistRights: Rights = {
  reads: { artist: open, artists: open, artistVersion: open, artistVersions: open, bannedArtists: open },
  writes: {
    banArtist: mayBan,
    createArtist: noted(mayCreate, ACTIVE),
    deleteArtist: mayDelete,
    revertArtist: noted(mayRevert, "To another name of a banned artist: Admins only."),
    unbanArtist: mayBan,
    undeleteArtist: mayDelete,
    updateArtist: noted(mayUpdate, `${ACTIVE} Another name for a banned artist: Admins only.`),
  },
};
