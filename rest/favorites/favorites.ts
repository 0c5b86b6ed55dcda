import {
  FavoritesCreateDocument,
  FavoritesDeleteDocument,
  FavoritesIndexDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const favorites = resource("favorite", [
  { method: "GET", path: "/favorites", document: FavoritesIndexDocument },
  { method: "POST", path: "/favorites", document: FavoritesCreateDocument },
  { method: "DELETE", path: "/favorites/:post_id", document: FavoritesDeleteDocument },
]);
