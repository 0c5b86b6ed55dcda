import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { joined } from "../adapter/views.js";

const view = joined("descendant_names");

export const tagRelations = [
  ...resource("tag_alias", { plural: "tag_aliases" }, [
    { method: "GET", path: "/tag_aliases", document: documents.TagAliasesIndexDocument },
    { method: "GET", path: "/tag_aliases/:id", document: documents.TagAliasesShowDocument },
  ]),
  ...resource("tag_implication", {}, [
    { method: "GET", path: "/tag_implications", document: documents.TagImplicationsIndexDocument, view },
    { method: "GET", path: "/tag_implications/:id", document: documents.TagImplicationsShowDocument, view },
  ]),
];
