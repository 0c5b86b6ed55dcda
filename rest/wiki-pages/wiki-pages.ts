import * as documents from "../__generated__/documents.js";
import { readable, resource } from "../adapter/row.js";

export const wikiPages = [
  ...resource("wiki_page", { record: documents.WikiPageFieldsFragmentDoc }, [
    { method: "GET", path: "/wiki_pages", field: "wikiPages" },
    { method: "GET", path: "/wiki_pages/:id", idOr: "title", document: documents.WikiPagesShowDocument },
    { method: "POST", path: "/wiki_pages", field: "createWikiPage" },
    { method: "PUT", path: "/wiki_pages/:id", idOr: "current_title", field: "updateWikiPage" },
    { method: "DELETE", path: "/wiki_pages/:id", idOr: "title", field: "deleteWikiPage" },
    { method: "PUT", path: "/wiki_pages/:id/revert", idOr: "title", field: "revertWikiPage" },
  ]),
  ...readable("wiki_page_version", { record: documents.WikiPageVersionFieldsFragmentDoc }),
];
