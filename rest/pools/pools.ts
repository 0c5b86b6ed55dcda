import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const pools = [
  ...resource("pool", { record: documents.PoolFieldsFragmentDoc }, [
    { method: "GET", path: "/pools", field: "pools" },
    { method: "GET", path: "/pools/:id", field: "pool" },
    { method: "POST", path: "/pools", field: "createPool" },
    { method: "PUT", path: "/pools/:id", field: "updatePool" },
    { method: "DELETE", path: "/pools/:id", field: "deletePool" },
    { method: "POST", path: "/pools/:id/undelete", field: "undeletePool" },
    { method: "PUT", path: "/pools/:id/revert", field: "revertPool" },
  ]),
  ...resource("pool_version", { record: documents.PoolVersionFieldsFragmentDoc }, [
    { method: "GET", path: "/pool_versions", field: "poolVersions" },
    { method: "GET", path: "/pool_versions/:id", field: "poolVersion" },
  ]),
];
