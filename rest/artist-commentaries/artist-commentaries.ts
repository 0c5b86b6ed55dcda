import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";

const commentary = { record: documents.ArtistCommentaryFieldsFragmentDoc, plural: "artist_commentaries" };

export const artistCommentaries = [
  ...readable("artist_commentary", commentary, [
    { method: "GET", path: "/posts/:post_id/artist_commentary", document: documents.ArtistCommentaryOfPostDocument },
    { method: "POST", path: "/artist_commentaries/create_or_update", field: "createOrUpdateArtistCommentary" },
    { method: "PUT", path: "/artist_commentaries/create_or_update", field: "createOrUpdateArtistCommentary" },
    { method: "PUT", path: "/artist_commentaries/:post_id/revert", field: "revertArtistCommentary" },
  ]),
  ...readable("artist_commentary_version", { record: documents.ArtistCommentaryVersionFieldsFragmentDoc }),
];
