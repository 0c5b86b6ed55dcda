import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const wikiPages = [
  ...resource("wiki_page", [
    { method: "GET", path: "/wiki_pages", document: documents.WikiPagesIndexDocument },
    { method: "GET", path: "/wiki_pages/:id", idOr: "title", document: documents.WikiPagesShowDocument },
    { method: "POST", path: "/wiki_pages", document: documents.WikiPagesCreateDocument },
    { method: "PUT", path: "/wiki_pages/:id", idOr: "current_title", document: documents.WikiPagesUpdateDocument },
    { method: "DELETE", path: "/wiki_pages/:id", document: documents.WikiPagesDeleteDocument },
    { method: "PUT", path: "/wiki_pages/:id/revert", document: documents.WikiPagesRevertDocument },
  ]),
  ...resource("wiki_page_version", [
    { method: "GET", path: "/wiki_page_versions", document: documents.WikiPageVersionsIndexDocument },
    { method: "GET", path: "/wiki_page_versions/:id", document: documents.WikiPageVersionsShowDocument },
  ]),
];
