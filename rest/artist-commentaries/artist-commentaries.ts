import {
  ArtistCommentariesCreateOrUpdateDocument,
  ArtistCommentariesIndexDocument,
  ArtistCommentariesRevertDocument,
  ArtistCommentariesShowDocument,
  ArtistCommentaryOfPostDocument,
  ArtistCommentaryVersionsIndexDocument,
  ArtistCommentaryVersionsShowDocument,
} from "../__generated__/documents.js";
import { type Row, resource } from "../adapter/row.js";

const rows: Row[] = [
  { method: "GET", path: "/artist_commentaries", document: ArtistCommentariesIndexDocument },
  { method: "GET", path: "/artist_commentaries/:id", document: ArtistCommentariesShowDocument },
  { method: "GET", path: "/posts/:post_id/artist_commentary", document: ArtistCommentaryOfPostDocument },
  {
    method: "POST",
    path: "/artist_commentaries/create_or_update",
    document: ArtistCommentariesCreateOrUpdateDocument,
  },
  {
    method: "PUT",
    path: "/artist_commentaries/create_or_update",
    document: ArtistCommentariesCreateOrUpdateDocument,
  },
  { method: "PUT", path: "/artist_commentaries/:post_id/revert", document: ArtistCommentariesRevertDocument },
];

export const artistCommentaries = [
  ...resource("artist_commentary", rows, "artist_commentaries"),
  ...resource("artist_commentary_version", [
    { method: "GET", path: "/artist_commentary_versions", document: ArtistCommentaryVersionsIndexDocument },
    { method: "GET", path: "/artist_commentary_versions/:id", document: ArtistCommentaryVersionsShowDocument },
  ]),
];
