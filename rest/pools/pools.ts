import {
  PoolsCreateDocument,
  PoolsDeleteDocument,
  PoolsIndexDocument,
  PoolsRevertDocument,
  PoolsShowDocument,
  PoolsUndeleteDocument,
  PoolsUpdateDocument,
  PoolVersionsIndexDocument,
  PoolVersionsShowDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const pools = [
  ...resource("pool", [
    { method: "GET", path: "/pools", document: PoolsIndexDocument },
    { method: "GET", path: "/pools/:id", document: PoolsShowDocument },
    { method: "POST", path: "/pools", document: PoolsCreateDocument },
    { method: "PUT", path: "/pools/:id", document: PoolsUpdateDocument },
    { method: "DELETE", path: "/pools/:id", document: PoolsDeleteDocument },
    { method: "POST", path: "/pools/:id/undelete", document: PoolsUndeleteDocument },
    { method: "PUT", path: "/pools/:id/revert", document: PoolsRevertDocument },
  ]),
  ...resource("pool_version", [
    { method: "GET", path: "/pool_versions", document: PoolVersionsIndexDocument },
    { method: "GET", path: "/pool_versions/:id", document: PoolVersionsShowDocument },
  ]),
];
