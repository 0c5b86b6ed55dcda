import {
  TagAliasesIndexDocument,
  TagAliasesShowDocument,
  TagImplicationsIndexDocument,
  TagImplicationsShowDocument,
} from "../__generated__/documents.js";
import { type Json, resource } from "../adapter/row.js";

/** The names are a text here. */
const view = (implication: Json): Json => ({
  ...implication,
  descendant_names: (implication.descendant_names as string[]).join(" "),
});

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
