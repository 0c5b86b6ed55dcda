import {
  ArtistsBanDocument,
  ArtistsBannedDocument,
  ArtistsCreateDocument,
  ArtistsDeleteDocument,
  ArtistsIndexDocument,
  ArtistsRevertDocument,
  ArtistsShowDocument,
  ArtistsUnbanDocument,
  ArtistsUndeleteDocument,
  ArtistsUpdateDocument,
  ArtistUrlsIndexDocument,
  ArtistVersionsIndexDocument,
  ArtistVersionsShowDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const artists = [
  ...resource("artist", [
    { method: "GET", path: "/artists", document: ArtistsIndexDocument },
    { method: "GET", path: "/artists/banned", document: ArtistsBannedDocument },
    { method: "GET", path: "/artists/:id", document: ArtistsShowDocument },
    { method: "POST", path: "/artists", document: ArtistsCreateDocument },
    { method: "PUT", path: "/artists/:id", document: ArtistsUpdateDocument },
    { method: "DELETE", path: "/artists/:id", document: ArtistsDeleteDocument },
    { method: "POST", path: "/artists/:id/undelete", document: ArtistsUndeleteDocument },
    { method: "PUT", path: "/artists/:id/revert", document: ArtistsRevertDocument },
    { method: "PUT", path: "/artists/:id/ban", document: ArtistsBanDocument },
    { method: "PUT", path: "/artists/:id/unban", document: ArtistsUnbanDocument },
  ]),
  ...resource("artist_url", [{ method: "GET", path: "/artist_urls", document: ArtistUrlsIndexDocument }]),
  ...resource("artist_version", [
    { method: "GET", path: "/artist_versions", document: ArtistVersionsIndexDocument },
    { method: "GET", path: "/artist_versions/:id", document: ArtistVersionsShowDocument },
  ]),
];
