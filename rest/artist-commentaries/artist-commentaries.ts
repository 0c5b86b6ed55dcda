import * as documents from "../__generated__/documents.js";
import { type Row, resource } from "../adapter/row.js";

const rows: Row[] = [
  { method: "GET", path: "/artist_commentaries", document: documents.ArtistCommentariesIndexDocument },
  { method: "GET", path: "/artist_commentaries/:id", document: documents.ArtistCommentariesShowDocument },
  { method: "GET", path: "/posts/:post_id/artist_commentary", document: documents.ArtistCommentaryOfPostDocument },
  {
    method: "POST",
    path: "/artist_commentaries/create_or_update",
    document: documents.ArtistCommentariesCreateOrUpdateDocument,
  },
  {
    method: "PUT",
    path: "/artist_commentaries/create_or_update",
    document: documents.ArtistCommentariesCreateOrUpdateDocument,
  },
  { method: "PUT", path: "/artist_commentaries/:post_id/revert", document: documents.ArtistCommentariesRevertDocument },
];

export const artistCommentaries = [
  ...resource("artist_commentary", rows, "artist_commentaries"),
  ...resource("artist_commentary_version", [
    { method: "GET", path: "/artist_commentary_versions", document: documents.ArtistCommentaryVersionsIndexDocument },
    {
      method: "GET",
      path: "/artist_commentary_versions/:id",
      document: documents.ArtistCommentaryVersionsShowDocument,
    },
  ]),
];
