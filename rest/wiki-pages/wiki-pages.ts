import { readable, resource } from "../adapter/row.js";

const fields = `
  id creator_id updater_id title body is_locked is_deleted other_names created_at updated_at creator_name updater_name
  category_name: category`;

const versionFields = `
  id wiki_page_id updater_id updater_name title body is_locked is_deleted other_names created_at updated_at version`;

const show = `
  query WikiPagesShow($id: Int, $title: String) { wikiPage(id: $id, title: $title) { ${fields} } }`;

export const wikiPages = [
  ...resource("wiki_page", { fields }, [
    { method: "GET", path: "/wiki_pages", field: "wikiPages", bare: ["title"] },
    { method: "GET", path: "/wiki_pages/:id", idOr: "title", document: show },
    { method: "POST", path: "/wiki_pages", field: "createWikiPage" },
    { method: "PUT", path: "/wiki_pages/:id", idOr: "current_title", field: "updateWikiPage" },
    { method: "DELETE", path: "/wiki_pages/:id", idOr: "title", field: "deleteWikiPage" },
    { method: "PUT", path: "/wiki_pages/:id/revert", idOr: "title", field: "revertWikiPage" },
  ]),
  ...readable("wiki_page_version", { fields: versionFields }),
];
