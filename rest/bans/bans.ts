import { readable } from "../adapter/row.js";

export const bans = readable("ban", {
  fields: "id user_id user_name banner_id banner_name reason expires_at is_expired created_at updated_at",
});
