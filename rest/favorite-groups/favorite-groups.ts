import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const favoriteGroups = [
  ...resource("favorite_group", { record: documents.FavoriteGroupFieldsFragmentDoc }, [
    { method: "GET", path: "/favorite_groups", field: "favoriteGroups" },
    { method: "GET", path: "/favorite_groups/:id", field: "favoriteGroup" },
    { method: "POST", path: "/favorite_groups", field: "createFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id", field: "updateFavoriteGroup" },
    { method: "DELETE", path: "/favorite_groups/:id", field: "deleteFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id/add_post", field: "addPostToFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id/remove_post", field: "removePostFromFavoriteGroup" },
    { method: "PUT", path: "/favorite_groups/:id/revert", field: "revertFavoriteGroup" },
  ]),
  ...resource("favorite_group_version", { record: documents.FavoriteGroupVersionFieldsFragmentDoc }, [
    { method: "GET", path: "/favorite_group_versions", field: "favoriteGroupVersions" },
    { method: "GET", path: "/favorite_group_versions/:id", field: "favoriteGroupVersion" },
  ]),
];
