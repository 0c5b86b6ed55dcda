/** The README's commands as a new user would run them: the built server, the command line and curl. */
import { execFile } from "node:child_process";
import { chmod } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { Folder } from "../support/folder.js";
import { ServerProcess } from "../support/server-process.js";

const run = promisify(execFile);

describe("docs/tour.sh", () => {
  it("runs on a newly started board", { timeout: 120_000 }, async () => {
    await using folder = await Folder.make();
    await chmod(folder.path, 0o711); // the database's user has to enter it
    await using server = await ServerProcess.start(folder.at("data"));
    const { stdout } = await run("bash", ["docs/tour.sh", server.url], { env: server.env });
    const lines = stdout.trim().split("\n");
    expect(lines.at(-1)).toMatch(/^The tour is over/);
    expect(lines.slice(0, -1).every((line) => line.startsWith("ok "))).toBe(true);
    expect(lines).toHaveLength(21);
  });
});
