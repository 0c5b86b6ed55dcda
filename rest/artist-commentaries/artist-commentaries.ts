import { readable } from "../adapter/row.js";

const fields = `
  id post_id original_title original_description translated_title translated_description created_at updated_at`;

const versionFields = `
  id post_id artist_commentary_id version updater_id updater_name original_title original_description
  translated_title translated_description created_at updated_at`;

const ofPost = `
  query ArtistCommentaryOfPost($post_id: Int!) { artistCommentary(postId: $post_id) { ${fields} } }`;

export const artistCommentaries = [
  ...readable("artist_commentary", { fields, plural: "artist_commentaries" }, [
    { method: "GET", path: "/posts/:post_id/artist_commentary", document: ofPost },
    { method: "POST", path: "/artist_commentaries/create_or_update", field: "createOrUpdateArtistCommentary" },
    { method: "PUT", path: "/artist_commentaries/create_or_update", field: "createOrUpdateArtistCommentary" },
    { method: "PUT", path: "/artist_commentaries/:post_id/revert", field: "revertArtistCommentary" },
  ]),
  ...readable("artist_commentary_version", { fields: versionFields }),
];
