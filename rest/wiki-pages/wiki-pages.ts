import {
  WikiPagesCreateDocument,
  WikiPagesDeleteDocument,
  WikiPagesIndexDocument,
  WikiPagesRevertDocument,
  WikiPagesShowDocument,
  WikiPagesUpdateDocument,
  WikiPageVersionsIndexDocument,
  WikiPageVersionsShowDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const wikiPages = [
  ...resource("wiki_page", [
    { method: "GET", path: "/wiki_pages", document: WikiPagesIndexDocument },
    { method: "GET", path: "/wiki_pages/:id", idOr: "title", document: WikiPagesShowDocument },
    { method: "POST", path: "/wiki_pages", document: WikiPagesCreateDocument },
    { method: "PUT", path: "/wiki_pages/:id", idOr: "current_title", document: WikiPagesUpdateDocument },
    { method: "DELETE", path: "/wiki_pages/:id", document: WikiPagesDeleteDocument },
    { method: "PUT", path: "/wiki_pages/:id/revert", document: WikiPagesRevertDocument },
  ]),
  ...resource("wiki_page_version", [
    { method: "GET", path: "/wiki_page_versions", document: WikiPageVersionsIndexDocument },
    { method: "GET", path: "/wiki_page_versions/:id", document: WikiPageVersionsShowDocument },
  ]),
];
