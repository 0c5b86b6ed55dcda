import { readable, resource } from "../adapter/row.js";

const urlFields = "id artist_id url normalized_url is_active created_at updated_at";

const fields = `
  id name creator_id creator_name is_active is_deleted is_banned other_names other_names_comma group_name
  created_at updated_at url_string urls(first: 150) { ${urlFields} }`;

const versionFields = `
  id artist_id version updater_id updater_name name is_active is_deleted is_banned other_names group_name
  urls(first: 150) url_string created_at updated_at`;

export const artists = [
  ...resource("artist", { fields }, [
    { method: "GET", path: "/artists", field: "artists", bare: ["name"] },
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
  ...resource("artist_url", { fields: urlFields }, [{ method: "GET", path: "/artist_urls", field: "artistUrls" }]),
  ...readable("artist_version", { fields: versionFields }),
];
