import {
  TagAliasesIndexDocument,
  TagAliasesShowDocument,
  TagImplicationsIndexDocument,
  TagImplicationsShowDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";
import { joined } from "../adapter/views.js";

const view = joined("descendant_names");

export const tagRelations = [
  ...resource(
    "tag_alias",
    [
      { method: "GET", path: "/tag_aliases", document: TagAliasesIndexDocument },
      { method: "GET", path: "/tag_aliases/:id", document: TagAliasesShowDocument },
    ],
    "tag_aliases",
  ),
  ...resource("tag_implication", [
    { method: "GET", path: "/tag_implications", document: TagImplicationsIndexDocument, view },
    { method: "GET", path: "/tag_implications/:id", document: TagImplicationsShowDocument, view },
  ]),
];
