import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";

export const favoriteGroups = [
  ...readable("favorite_group", { record: documents.FavoriteGroupFieldsFragmentDoc }, [
    { method: "POST", path: "/favorite_groups", field: "createFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id", field: "updateFavoriteGroup" },
    { method: "DELETE", path: "/favorite_groups/:id", field: "deleteFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id/add_post", field: "addPostToFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id/remove_post", field: "removePostFromFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id/revert", field: "revertFavoriteGroup" },
  ]),
  ...readable("favorite_group_version", { record: documents.FavoriteGroupVersionFieldsFragmentDoc }),
];
