/** The key that signs cookies, as created at the first start. */
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { loadConfig } from "../../src/config.js";
import { loadSecret } from "../../src/runtime/auth/secret.js";
import { times } from "../support/processes.js";
import { Folder } from "../support/folder.js";

it("the cookie key is the same for containers that start together with the same process id", async () => {
  await using folder = await Folder.make();
  const config = loadConfig({ DATA_DIR: folder.path });
  const secrets = await times(8, () => loadSecret(config));
  expect(new Set(secrets).size).toBe(1);
  expect(await loadSecret(config)).toBe(secrets[0]);
  expect(readdirSync(folder.path)).toEqual(["secret"]);
});
