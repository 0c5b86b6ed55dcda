/** The processes of WORKERS, when the system can't start one. */
import cluster from "node:cluster";
import { expect, it } from "vitest";
import { Supervisor } from "../../src/runtime/processes/supervisor.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { Folder } from "../support/folder.js";

/** A server process that does nothing. */
const PROGRAM = `process.send({ is: "listening", url: "here" }); setInterval(() => undefined, 1_000);`;

/** Longer than the system lets a variable of the environment be. */
const TOO_LONG = { TOO_LONG: "x".repeat(200_000) };

it("a process that ended is replaced later if the system can't start another one at once", async () => {
  await using folder = await Folder.make();
  await folder.write("server.cjs", PROGRAM);
  cluster.setupPrimary({ exec: folder.at("server.cjs"), execArgv: [] });
  const lines: { msg: string; reason?: string }[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  let starts = 0;
  const env = () => ((starts += 1) === 2 ? TOO_LONG : {});
  await using processes = new Supervisor({ size: 1, env, grace: () => 0, log });
  expect(await processes.start()).toBe("here");
  Object.values(cluster.workers ?? {})[0]?.process.kill("SIGKILL");
  await expect.poll(() => starts).toBe(3);
  expect(lines.map(({ msg, reason }) => [msg, reason])).toEqual([
    ["a server process ended; it is replaced", undefined],
    ["a server process could not start", "spawn E2BIG"],
  ]);
});
