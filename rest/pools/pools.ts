import { readable } from "../adapter/row.js";

const fields = `
  id name created_at updated_at creator_id creator_name description is_active is_deleted category
  post_ids(first: 100000) post_count`;

const versionFields = `
  id pool_id version updater_id updater_name
  post_ids(first: 100000) added_post_ids(first: 100000) removed_post_ids(first: 100000)
  name name_changed description description_changed category is_active is_deleted created_at updated_at`;

export const pools = [
  ...readable("pool", { fields }, [
    { method: "POST", path: "/pools", field: "createPool" },
    { method: "PUT", path: "/pools/:id", field: "updatePool" },
    { method: "DELETE", path: "/pools/:id", field: "deletePool" },
    { method: "POST", path: "/pools/:id/undelete", field: "undeletePool" },
    { method: "PUT", path: "/pools/:id/revert", field: "revertPool" },
  ]),
  ...readable("pool_version", { fields: versionFields }),
];
