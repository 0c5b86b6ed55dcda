/** The server while its log can't be written. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, open } from "node:fs/promises";
import { expect, it } from "vitest";
import { Folder } from "../support/folder.js";
import { freePort } from "../support/free-port.js";
import { prepareDataDir } from "../support/prepared.js";

it("the board serves, and stops on SIGTERM, while the disk of its log is full", async () => {
  await using folder = await Folder.make();
  await chmod(folder.path, 0o711); // the database's user has to enter it
  const [port, DATA_DIR] = [await freePort(), folder.at("data")];
  await prepareDataDir(DATA_DIR);
  const full = await open("/dev/full", "w");
  const env = { ...process.env, DATA_DIR, PORT: String(port), DRAIN_MS: "0" };
  const server = spawn("node", ["dist/src/main.js"], { env, stdio: ["ignore", full.fd, "inherit"] });
  const exit = once(server, "exit");
  await full.close();
  try {
    const ask = () => fetch(`http://127.0.0.1:${port}/posts.json`).then(({ status }) => status);
    await expect.poll(() => ask().catch(() => 0), { timeout: 60_000 }).toBe(200);
    for (let requests = 0; requests < 3; requests += 1) expect(await ask()).toBe(200);
    server.kill();
    expect(await exit).toEqual([0, null]);
  } finally {
    server.kill("SIGKILL");
  }
});
