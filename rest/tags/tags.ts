import { readable } from "../adapter/row.js";

export const tagFields = "id name post_count category is_locked is_deprecated words created_at updated_at";

export const tags = readable("tag", { fields: tagFields });
