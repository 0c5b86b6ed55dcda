import {
  FavoriteGroupsAddPostDocument,
  FavoriteGroupsCreateDocument,
  FavoriteGroupsDeleteDocument,
  FavoriteGroupsIndexDocument,
  FavoriteGroupsRemovePostDocument,
  FavoriteGroupsRevertDocument,
  FavoriteGroupsShowDocument,
  FavoriteGroupsUpdateDocument,
  FavoriteGroupVersionsIndexDocument,
  FavoriteGroupVersionsShowDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const favoriteGroups = [
  ...resource("favorite_group", [
    { method: "GET", path: "/favorite_groups", document: FavoriteGroupsIndexDocument },
    { method: "GET", path: "/favorite_groups/:id", document: FavoriteGroupsShowDocument },
    { method: "POST", path: "/favorite_groups", document: FavoriteGroupsCreateDocument },
    { method: "PUT", path: "/favorite_groups/:id", document: FavoriteGroupsUpdateDocument },
    { method: "DELETE", path: "/favorite_groups/:id", document: FavoriteGroupsDeleteDocument },
    { method: "PUT", path: "/favorite_groups/:id/add_post", document: FavoriteGroupsAddPostDocument },
    { method: "PUT", path: "/favorite_groups/:id/remove_post", document: FavoriteGroupsRemovePostDocument },
    { method: "PUT", path: "/favorite_groups/:id/revert", document: FavoriteGroupsRevertDocument },
  ]),
  ...resource("favorite_group_version", [
    { method: "GET", path: "/favorite_group_versions", document: FavoriteGroupVersionsIndexDocument },
    { method: "GET", path: "/favorite_group_versions/:id", document: FavoriteGroupVersionsShowDocument },
  ]),
];
