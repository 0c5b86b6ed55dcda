import {
  FavoritesCreateDocument,
  FavoritesDeleteDocument,
  FavoritesIndexDocument,
  FavoritesOfPostDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const favorites = resource("favorite", [
  { method: "GET", path: "/favorites", document: FavoritesIndexDocument, bare: ["user_id"] },
  { method: "GET", path: "/posts/:post_id/favorites", document: FavoritesOfPostDocument },
  { method: "POST", path: "/favorites", document: FavoritesCreateDocument },
  { method: "DELETE", path: "/favorites/:post_id", document: FavoritesDeleteDocument },
]);
