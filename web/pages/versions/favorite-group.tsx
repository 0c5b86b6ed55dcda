/** The edits of favorite groups. */
import { change } from "../../lib/graphql.js";
import { unmask } from "../../lib/mask.js";
import { postUrl, searchUrl } from "../../routes.js";
import { words } from "../../titles.js";
import {
  type FavoriteGroupVersion_VersionFragment,
  FavoriteGroupVersionsDocument,
  RevertFavoriteGroupDocument,
} from "./__generated__/favorite-group.js";
import { historyPage } from "./history.js";

export { FavoriteGroupVersionsDocument as document };

export const Page = historyPage({
  name: "favorite_group",
  document: FavoriteGroupVersionsDocument,
  list: ({ favoriteGroupVersions: { nodes, pageInfo } }) => ({
    versions: nodes.map((node) => unmask<FavoriteGroupVersion_VersionFragment>(node)),
    next: pageInfo.nextPage,
  }),
  subject: ({ favoriteGroupId, name, favoriteGroup }) => ({
    id: favoriteGroupId,
    name: words(favoriteGroup?.name ?? name),
    url: searchUrl(`ordfavgroup:${favoriteGroupId}`),
    mayRevert: favoriteGroup?.viewerCan.update ?? false,
  }),
  fields: [
    { name: "Name", value: ({ name }) => words(name) },
    {
      name: "Posts",
      names: ({ addedPostIds, removedPostIds }) => ({ added: addedPostIds, removed: removedPostIds }),
      url: (id) => postUrl(Number(id)),
    },
    { name: "Visible to", value: ({ isPublic }) => (isPublic ? "everybody" : "its creator"), usual: "everybody" },
  ],
  revert: ({ favoriteGroupId: id, id: versionId }) => change(RevertFavoriteGroupDocument, { id, versionId }),
});
