/** Everything that the server answers, for the names of requests in metrics, log and traces. */
import type { ResourceRow } from "../../rest/adapter/row.js";
import { type Pattern, Routes } from "../runtime/telemetry/routes.js";

/** What is answered beside the rows of the REST interface. */
const OTHERS: readonly Pattern[] = [
  { method: "GET", path: "/graphql" },
  { method: "POST", path: "/graphql" },
  { method: "GET", path: "/data/*" },
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/docs" },
  { method: "GET", path: "/docs/*" },
  { method: "GET", path: "/healthz" },
  { method: "GET", path: "/readyz" },
  { method: "GET", path: "/metrics" },
];

export const routesOf = (rows: readonly ResourceRow[]): Routes =>
  new Routes([...rows.map(({ method, path, idOr }) => ({ method, path, takesName: idOr !== undefined })), ...OTHERS]);
