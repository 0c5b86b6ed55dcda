/** The processes of WORKERS, when the system can't start one, or one hangs. */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
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

/** A server process that hangs a while after its start, if it is to. */
const HANGING = `
  process.send({ is: "listening", url: "here" });
  setInterval(() => process.env.SILENT || process.send({ is: "alive" }), 10);
  setTimeout(() => { while (process.env.HANGS); }, 100);
`;

it("a process that hangs is killed and replaced; one of an older release, which sends no heartbeats, is not", async () => {
  await using folder = await Folder.make();
  await folder.write("server.cjs", HANGING);
  cluster.setupPrimary({ exec: folder.at("server.cjs"), execArgv: [] });
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
  const kinds = [{ HANGS: "yes" }, { SILENT: "yes" }];
  const env = () => kinds.shift() ?? {};
  await using processes = new Supervisor({ size: 2, env, grace: () => 0, log, beat: 100 });
  await processes.start();
  const [, silent] = Object.values(cluster.workers ?? {});
  const replaced = ["a server process does not respond; it is killed", "a server process ended; it is replaced"];
  await expect.poll(() => lines, { timeout: 20_000 }).toEqual(replaced);
  await expect.poll(() => Object.values(cluster.workers ?? {}).length, { timeout: 20_000 }).toBe(2);
  expect(silent?.isDead()).toBe(false);
});

/** Server processes of which the second serves later. */
const SECOND_LATER = `
  const serve = () => process.send({ is: "listening", url: "here" });
  process.env.LATE ? process.on("message", serve) : serve();
  setInterval(() => undefined, 1_000);
`;

it("a process that ended before the others served is replaced", async () => {
  await using folder = await Folder.make();
  await folder.write("server.cjs", SECOND_LATER);
  cluster.setupPrimary({ exec: folder.at("server.cjs"), execArgv: [] });
  const kinds = [{}, { LATE: "yes" }];
  const env = () => kinds.shift() ?? {};
  const log = createLog("silent");
  await using processes = new Supervisor({ size: 2, env, grace: () => 0, log });
  const starting = processes.start();
  const [first, second] = Object.values(cluster.workers ?? {});
  await once(first as Worker, "message");
  first?.process.kill("SIGKILL");
  await once(first as Worker, "exit");
  second?.send("serve");
  expect(await starting).toBe("here");
  await expect.poll(() => Object.values(cluster.workers ?? {}).length).toBe(2);
});
