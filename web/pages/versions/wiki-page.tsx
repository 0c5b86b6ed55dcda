/** The edits of wiki pages. */
import { change } from "../../lib/graphql.js";
import { unmask } from "../../lib/mask.js";
import { searchUrl } from "../../routes.js";
import { words } from "../../titles.js";
import {
  RevertWikiPageDocument,
  type WikiPageVersion_VersionFragment,
  WikiPageVersionsDocument,
} from "./__generated__/wiki-page.js";
import { difference } from "./changes.js";
import { historyPage } from "./history.js";

export { WikiPageVersionsDocument as document };

export const Page = historyPage({
  name: "wiki_page",
  document: WikiPageVersionsDocument,
  list: ({ wikiPageVersions: { nodes, pageInfo } }) => ({
    versions: nodes.map((node) => unmask<WikiPageVersion_VersionFragment>(node)),
    next: pageInfo.nextPage,
  }),
  subject: ({ wikiPageId, title, wikiPage }) => ({
    id: wikiPageId,
    name: words(wikiPage?.title ?? title),
    url: searchUrl(wikiPage?.title ?? title),
    mayRevert: wikiPage?.viewerCan.update ?? false,
  }),
  fields: [
    { name: "Title", value: ({ title }) => words(title) },
    { name: "Text", text: ({ body }) => body },
    { name: "Other names", names: ({ previous, otherNames }) => difference(previous?.otherNames, otherNames) },
    { name: "Lock", value: ({ isLocked }) => (isLocked ? "locked" : "not locked"), usual: "not locked" },
    { name: "Status", value: ({ isDeleted }) => (isDeleted ? "deleted" : "active"), usual: "active" },
  ],
  revert: ({ wikiPageId: id, id: versionId }) => change(RevertWikiPageDocument, { id, versionId }),
});
