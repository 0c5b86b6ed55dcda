/** Rights on artist commentaries: every member may edit and revert them. */
import { member, open, type Rights } from "../shared/policy.js";

export const mayEdit = member;

export const artistCommentaryRights: Rights = {
  reads: {
    artistCommentaries: open,
    artistCommentary: open,
    artistCommentaryVersion: open,
    artistCommentaryVersions: open,
  },
  writes: { createOrUpdateArtistCommentary: mayEdit, revertArtistCommentary: mayEdit },
};
