import { mutationOf, readable, resource } from "../adapter/row.js";
import { asText, described, joined, omitNull, retyped } from "../adapter/views.js";
import type { Property } from "../openapi/schema.js";

const mediaFields = `
  id created_at md5 file_ext file_size image_width image_height duration
  variants { type url width height file_ext }`;

export const postFields = `
  id created_at updated_at uploader_id uploader_name approver_id score up_score down_score fav_count source md5 rating
  image_width image_height file_ext file_size
  tag_string tag_string_general tag_string_artist tag_string_copyright tag_string_character tag_string_meta
  tag_count tag_count_general tag_count_artist tag_count_copyright tag_count_character tag_count_meta
  is_note_locked is_rating_locked is_status_locked is_pending is_flagged is_deleted is_banned
  parent_id has_children has_active_children has_visible_children children_ids: child_ids(first: 100000)
  last_commented_at last_comment_bumped_at last_noted_at pixiv_id bit_flags pool_string
  has_large file_url large_file_url preview_file_url media_asset: media_file { ${mediaFields} }`;

const search = `
  query PostsIndex($tags: String, $raw: Boolean, $md5: String, $limit: Int, $page: String) {
    posts(tags: $tags, raw: $raw, md5: $md5, first: $limit, page: $page) { nodes { ${postFields} } }
  }`;

const versionFields = `
  id post_id version updater_id updater_name tags: tag_string added_tags(first: 100000) removed_tags(first: 100000)
  obsolete_added_tags(first: 100000) obsolete_removed_tags(first: 100000) unchanged_tags(first: 100000)
  rating rating_changed parent_id parent_changed source source_changed created_at updated_at`;

const vote = "id post_id user_id score created_at updated_at";
const castVote = mutationOf("PostVotesCreate", "createPostVote", `vote { ${vote} }`);
const removeVote = mutationOf("PostVotesDelete", "deletePostVote", `vote { ${vote} }`);

const hideFile = omitNull("md5", "file_url", "large_file_url", "preview_file_url", "media_asset");

/** REST sends the ids of the children as one text, or null. */
export const viewPost = described(
  (post) => {
    const children = post.children_ids as number[];
    post.children_ids = children.length > 0 ? children.join(" ") : null;
    return hideFile(post);
  },
  (properties) => retyped(hideFile.describe?.(properties) ?? properties, ["children_ids"], textOrNull),
);

const textOrNull = (list: Property): Property => ({ ...asText(list), type: ["string", "null"] });

const viewVersion = joined("obsolete_added_tags", "obsolete_removed_tags", "unchanged_tags");

export const posts = [
  ...resource("post", { fields: postFields, view: viewPost }, [
    { method: "GET", path: "/posts", document: search },
    { method: "GET", path: "/posts/:id", field: "post" },
    { method: "PUT", path: "/posts/:id", field: "updatePost" },
    { method: "PUT", path: "/posts/:id/revert", field: "revertPost" },
    { method: "PUT", path: "/posts/:id/copy_notes", field: "copyNotes" },
  ]),
  ...resource("post_vote", { fields: vote }, [
    { method: "GET", path: "/post_votes", field: "postVotes" },
    { method: "POST", path: "/posts/:post_id/votes", document: castVote },
    { method: "DELETE", path: "/posts/:post_id/votes", document: removeVote },
    { method: "PUT", path: "/posts/:post_id/unvote", document: removeVote },
  ]),
  ...resource("media_asset", { fields: mediaFields, type: "MediaFile" }, [
    { method: "GET", path: "/media_assets/:id", field: "mediaFile" },
  ]),
  ...readable("post_version", { fields: versionFields, view: viewVersion }),
];
