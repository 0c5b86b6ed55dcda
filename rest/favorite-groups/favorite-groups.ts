import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const favoriteGroups = [
  ...resource("favorite_group", [
    { method: "GET", path: "/favorite_groups", document: documents.FavoriteGroupsIndexDocument },
    { method: "GET", path: "/favorite_groups/:id", document: documents.FavoriteGroupsShowDocument },
    { method: "POST", path: "/favorite_groups", document: documents.FavoriteGroupsCreateDocument },
    { method: "PUT", path: "/favorite_groups/:id", document: documents.FavoriteGroupsUpdateDocument },
    { method: "DELETE", path: "/favorite_groups/:id", document: documents.FavoriteGroupsDeleteDocument },
    { method: "PUT", path: "/favorite_groups/:id/add_post", document: documents.FavoriteGroupsAddPostDocument },
    { method: "PUT", path: "/favorite_groups/:id/remove_post", document: documents.FavoriteGroupsRemovePostDocument },
    { method: "PUT", path: "/favorite_groups/:id/revert", document: documents.FavoriteGroupsRevertDocument },
  ]),
  ...resource("favorite_group_version", [
    { method: "GET", path: "/favorite_group_versions", document: documents.FavoriteGroupVersionsIndexDocument },
    { method: "GET", path: "/favorite_group_versions/:id", document: documents.FavoriteGroupVersionsShowDocument },
  ]),
];
