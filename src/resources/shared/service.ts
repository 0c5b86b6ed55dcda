import type { Config } from "../../config.js";
import type { Database } from "../../database/client.js";
import type { Transact } from "../../database/transaction.js";

export interface ServiceParts {
  database: Database;
  /** runs a unit of work in one transaction */
  transact: Transact;
  config: Config;
}
