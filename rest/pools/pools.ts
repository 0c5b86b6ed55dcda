import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const pools = [
  ...resource("pool", [
    { method: "GET", path: "/pools", document: documents.PoolsIndexDocument },
    { method: "GET", path: "/pools/:id", document: documents.PoolsShowDocument },
    { method: "POST", path: "/pools", document: documents.PoolsCreateDocument },
    { method: "PUT", path: "/pools/:id", document: documents.PoolsUpdateDocument },
    { method: "DELETE", path: "/pools/:id", document: documents.PoolsDeleteDocument },
    { method: "POST", path: "/pools/:id/undelete", document: documents.PoolsUndeleteDocument },
    { method: "PUT", path: "/pools/:id/revert", document: documents.PoolsRevertDocument },
  ]),
  ...resource("pool_version", [
    { method: "GET", path: "/pool_versions", document: documents.PoolVersionsIndexDocument },
    { method: "GET", path: "/pool_versions/:id", document: documents.PoolVersionsShowDocument },
  ]),
];
