/** The edits of pools. */
import { change } from "../../lib/graphql.js";
import { unmask } from "../../lib/mask.js";
import { poolSearch, postUrl, searchUrl } from "../../routes.js";
import { words } from "../../titles.js";
import { type PoolVersion_VersionFragment, PoolVersionsDocument, RevertPoolDocument } from "./__generated__/pool.js";
import { historyPage } from "./history.js";

export { PoolVersionsDocument as document };

const CATEGORIES = { SERIES: "Series", COLLECTION: "Collection" };

export const Page = historyPage({
  name: "pool",
  document: PoolVersionsDocument,
  list: ({ poolVersions: { nodes, pageInfo } }) => ({
    versions: nodes.map((node) => unmask<PoolVersion_VersionFragment>(node)),
    next: pageInfo.nextPage,
  }),
  subject: ({ poolId, name, pool }) => ({
    id: poolId,
    name: words(pool?.name ?? name),
    url: searchUrl(poolSearch(poolId)),
    mayRevert: pool?.viewerCan.update ?? false,
  }),
  fields: [
    { name: "Name", value: ({ name }) => words(name) },
    {
      name: "Posts",
      names: ({ addedPostIds, removedPostIds }) => ({ added: addedPostIds, removed: removedPostIds }),
      url: (id) => postUrl(Number(id)),
    },
    { name: "Description", text: ({ description }) => description },
    { name: "Category", value: ({ category }) => CATEGORIES[category] },
    { name: "Progress", value: ({ isActive }) => (isActive ? "ongoing" : "complete"), usual: "ongoing" },
    { name: "Status", value: ({ isDeleted }) => (isDeleted ? "deleted" : "active"), usual: "active" },
  ],
  revert: ({ poolId: id, id: versionId }) => change(RevertPoolDocument, { id, versionId }),
});
