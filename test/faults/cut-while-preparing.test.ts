/** The database becomes unavailable while the statement timeout of an idle connection is being set. */
import { expect, it } from "vitest";
import { RequestScope } from "../../src/database/request-scope.js";
import { createPool } from "../../src/database/statements.js";
import { createDatabase } from "../support/database.js";
import { CutProxy } from "../support/cut-proxy.js";

it("a connection lost while its statement timeout is set fails that statement and not the process", async () => {
  const database = await createDatabase();
  const proxy = await CutProxy.open(database.url);
  const pool = createPool({ url: proxy.url, connections: 1, wait: 5_000, silence: 5_000, statementTimeout: 9_000 });
  pool.on("error", () => undefined);
  await pool.query("SELECT 1");
  proxy.silence(true);
  const asked = new RequestScope(3_000).run(() => pool.query("SELECT 1"));
  const refused = asked.catch((error: unknown) => String(error));
  await new Promise((resolve) => setImmediate(resolve)); // the statement that sets it is on its way
  await proxy.cut();
  expect(await refused).toMatch(/terminated|not queryable|ECONNRESET/);
  await pool.end();
  await database.drop();
});
