import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";

export const pools = [
  ...readable("pool", { record: documents.PoolFieldsFragmentDoc }, [
    { method: "POST", path: "/pools", field: "createPool" },
    { method: "PUT", path: "/pools/:id", field: "updatePool" },
    { method: "DELETE", path: "/pools/:id", field: "deletePool" },
    { method: "POST", path: "/pools/:id/undelete", field: "undeletePool" },
    { method: "PUT", path: "/pools/:id/revert", field: "revertPool" },
  ]),
  ...readable("pool_version", { record: documents.PoolVersionFieldsFragmentDoc }),
];
