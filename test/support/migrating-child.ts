/** A process that migrates a database, for tests that kill it. */
import { migrate } from "../../src/database/migrate.js";

const [, , url = "", folder] = process.argv;
await migrate(url, undefined, folder);
