import { mutationOf, resource } from "../adapter/row.js";
import { flatten } from "../adapter/views.js";

export const userFields = `
  id created_at name inviter_id level level_string base_upload_limit post_upload_count post_update_count
  note_update_count favorite_count is_banned is_deleted can_upload_free can_approve_posts`;

const activity = `activity {
  wiki_page_version_count artist_version_count artist_commentary_version_count pool_version_count forum_post_count
  comment_count appeal_count flag_count positive_feedback_count neutral_feedback_count negative_feedback_count
}`;

const settings = `
  email last_logged_in_at blacklisted_tags favorite_tags comment_threshold default_image_size time_zone per_page
  enable_private_favorites`;

const show = `query UsersShow($id: Int!) { user(id: $id) { ${userFields} ${activity} } }`;
const update = mutationOf("UsersUpdate", "updateSettings", `user { ${userFields} settings { ${settings} } }`);
const close = mutationOf("UsersClose", "closeAccount", `user { ${userFields} }`);

const renewed = `user { ${userFields} settings { api_key } } csrf_token`;
const changePassword = mutationOf("UsersChangePassword", "changePassword", renewed);
const rotateApiKey = mutationOf("UsersRotateApiKey", "rotateApiKey", renewed);
const profile = `query ProfileShow { profile { ${userFields} ${activity} settings { api_key ${settings} } } }`;

export const users = resource("user", { fields: userFields }, [
  { method: "GET", path: "/users", field: "users", bare: ["name"] },
  { method: "GET", path: "/users/:id", document: show, view: flatten("activity") },
  { method: "PUT", path: "/users/:id", document: update, view: flatten("settings") },
  { method: "DELETE", path: "/users/:id", document: close },
  { method: "PUT", path: "/users/:id/password", document: changePassword, view: flatten("settings") },
  { method: "PUT", path: "/users/:id/api_key", document: rotateApiKey, view: flatten("settings") },
  { method: "POST", path: "/users/recover", field: "recoverAccount" },
  { method: "POST", path: "/users", field: "createUser" },
  { method: "GET", path: "/profile", document: profile, view: flatten("activity", "settings") },
]);
