import { readable } from "../adapter/row.js";
import { joined } from "../adapter/views.js";

const search = "TagRelationSearch";

const fields = `
  id antecedent_name consequent_name creator_id approver_id forum_topic_id reason status created_at updated_at`;

export const tagRelations = [
  ...readable("tag_alias", { fields: `${fields} post_count`, search, plural: "tag_aliases" }),
  ...readable("tag_implication", {
    fields: `${fields} descendant_names(first: 100000)`,
    search,
    view: joined("descendant_names"),
  }),
];
