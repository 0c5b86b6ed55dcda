import { readable } from "../adapter/row.js";

const fields = "id name creator_id creator_name post_ids(first: 100000) post_count is_public created_at updated_at";

const versionFields = `
  id favorite_group_id version updater_id updater_name name
  post_ids(first: 100000) added_post_ids(first: 100000) removed_post_ids(first: 100000)
  is_public created_at updated_at`;

export const favoriteGroups = [
  ...readable("favorite_group", { fields }, [
    { method: "POST", path: "/favorite_groups", field: "createFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id", field: "updateFavoriteGroup" },
    { method: "DELETE", path: "/favorite_groups/:id", field: "deleteFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id/add_post", field: "addPostToFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id/remove_post", field: "removePostFromFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id/revert", field: "revertFavoriteGroup" },
  ]),
  ...readable("favorite_group_version", { fields: versionFields }),
];
