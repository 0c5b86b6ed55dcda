/** Runs a tool of the set-up, silent unless it fails. */
import { spawn } from "node:child_process";
import { ROOT } from "./paths.mjs";

/** An error that the reader can fix; only `message` is shown. */
export class SetupError extends Error {}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Ends the tool together with the set-up, which `npm` or a terminal may end at any time. */
function forwardSignals(child) {
  const handlers = Object.entries(SIGNALS).map(([signal, code]) => {
    const handler = () => {
      child.kill(signal);
      process.exit(code);
    };
    process.once(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => handlers.forEach((remove) => remove());
}

/**
 * Runs a command in the root folder of the checkout; its output is shown only if it fails.
 * @throws SetupError that begins with `failure`
 */
export async function run(failure, command, args, env = {}) {
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const stopForwarding = forwardSignals(child);
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(chunk));
  const problem = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code === 0 ? "" : `exit code ${code ?? signal}`));
  });
  stopForwarding();
  if (problem) throw new SetupError(`${failure} (${problem}).\n${Buffer.concat(chunks).toString("utf8").trim()}`);
}
