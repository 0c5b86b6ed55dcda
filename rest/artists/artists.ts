import * as documents from "../__generated__/documents.js";
import { readable, resource } from "../adapter/row.js";

export const artists = [
  ...resource("artist", { record: documents.ArtistFieldsFragmentDoc }, [
    { method: "GET", path: "/artists", field: "artists" },
    { method: "GET", path: "/artists/banned", field: "bannedArtists" },
    { method: "GET", path: "/artists/:id", field: "artist" },
    { method: "POST", path: "/artists", field: "createArtist" },
    { method: "PUT", path: "/artists/:id", field: "updateArtist" },
    { method: "DELETE", path: "/artists/:id", field: "deleteArtist" },
    { method: "POST", path: "/artists/:id/undelete", field: "undeleteArtist" },
    { method: "PUT", path: "/artists/:id/revert", field: "revertArtist" },
    { method: "PUT", path: "/artists/:id/ban", field: "banArtist" },
    { method: "PUT", path: "/artists/:id/unban", field: "unbanArtist" },
  ]),
  ...resource("artist_url", { record: documents.ArtistUrlFieldsFragmentDoc }, [
    { method: "GET", path: "/artist_urls", field: "artistUrls" },
  ]),
  ...readable("artist_version", { record: documents.ArtistVersionFieldsFragmentDoc }),
];
