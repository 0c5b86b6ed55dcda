import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";
import { joined } from "../adapter/views.js";

const search = "TagRelationSearch";

export const tagRelations = [
  ...readable("tag_alias", { record: documents.TagAliasFieldsFragmentDoc, search, plural: "tag_aliases" }),
  ...readable("tag_implication", {
    record: documents.TagImplicationFieldsFragmentDoc,
    search,
    view: joined("descendant_names"),
  }),
];
