import { mutationOf, resource } from "../adapter/row.js";

const fields = "id user_id post_id created_at";

const ofPost = `
  query FavoritesOfPost($post_id: Int!, $limit: Int, $page: String) {
    favorites(search: { ofPost: $post_id }, first: $limit, page: $page) { nodes { ${fields} } }
  }`;
const create = mutationOf("FavoritesCreate", "createFavorite", `favorite { ${fields} }`, "FavoriteInput");
const remove = mutationOf("FavoritesDelete", "deleteFavorite", `favorite { ${fields} }`, "FavoriteInput");

export const favorites = resource("favorite", { fields }, [
  { method: "GET", path: "/favorites", field: "favorites", bare: ["user_id"] },
  { method: "GET", path: "/posts/:post_id/favorites", document: ofPost },
  { method: "POST", path: "/favorites", isFlat: true, document: create },
  { method: "DELETE", path: "/favorites/:post_id", document: remove },
]);
