import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

const commentary = { record: documents.ArtistCommentaryFieldsFragmentDoc, plural: "artist_commentaries" };

export const artistCommentaries = [
  ...resource("artist_commentary", commentary, [
    { method: "GET", path: "/artist_commentaries", field: "artistCommentaries" },
    { method: "GET", path: "/artist_commentaries/:id", field: "artistCommentary" },
    { method: "GET", path: "/posts/:post_id/artist_commentary", document: documents.ArtistCommentaryOfPostDocument },
    { method: "POST", path: "/artist_commentaries/create_or_update", field: "createOrUpdateArtistCommentary" },
    { method: "PUT", path: "/artist_commentaries/create_or_update", field: "createOrUpdateArtistCommentary" },
    { method: "PUT", path: "/artist_commentaries/:post_id/revert", field: "revertArtistCommentary" },
  ]),
  ...resource("artist_commentary_version", { record: documents.ArtistCommentaryVersionFieldsFragmentDoc }, [
    { method: "GET", path: "/artist_commentary_versions", field: "artistCommentaryVersions" },
    { method: "GET", path: "/artist_commentary_versions/:id", field: "artistCommentaryVersion" },
  ]),
];
