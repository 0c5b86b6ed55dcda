import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const artists = [
  ...resource("artist", [
    { method: "GET", path: "/artists", document: documents.ArtistsIndexDocument },
    { method: "GET", path: "/artists/banned", document: documents.ArtistsBannedDocument },
    { method: "GET", path: "/artists/:id", document: documents.ArtistsShowDocument },
    { method: "POST", path: "/artists", document: documents.ArtistsCreateDocument },
    { method: "PUT", path: "/artists/:id", document: documents.ArtistsUpdateDocument },
    { method: "DELETE", path: "/artists/:id", document: documents.ArtistsDeleteDocument },
    { method: "POST", path: "/artists/:id/undelete", document: documents.ArtistsUndeleteDocument },
    { method: "PUT", path: "/artists/:id/revert", document: documents.ArtistsRevertDocument },
    { method: "PUT", path: "/artists/:id/ban", document: documents.ArtistsBanDocument },
    { method: "PUT", path: "/artists/:id/unban", document: documents.ArtistsUnbanDocument },
  ]),
  ...resource("artist_url", [{ method: "GET", path: "/artist_urls", document: documents.ArtistUrlsIndexDocument }]),
  ...resource("artist_version", [
    { method: "GET", path: "/artist_versions", document: documents.ArtistVersionsIndexDocument },
    { method: "GET", path: "/artist_versions/:id", document: documents.ArtistVersionsShowDocument },
  ]),
];
