import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const favorites = resource("favorite", { record: documents.FavoriteFieldsFragmentDoc }, [
  { method: "GET", path: "/favorites", field: "favorites", bare: ["user_id"] },
  { method: "GET", path: "/posts/:post_id/favorites", document: documents.FavoritesOfPostDocument },
  { method: "POST", path: "/favorites", isFlat: true, document: documents.FavoritesCreateDocument },
  { method: "DELETE", path: "/favorites/:post_id", document: documents.FavoritesDeleteDocument },
]);
