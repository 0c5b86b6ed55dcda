/**
 * Makes a checkout ready to run: dependencies, Prisma client, generated documents, build. `npm start`, `npm test` and the
 * `board` command call it first; every step is skipped while it is fresh, which takes well under a tenth of a second.
 *
 * Plain JavaScript without dependencies, because it runs before there are any. It never writes to stdout, which belongs to
 * the command that follows it.
 *
 * node scripts/setup.mjs [--quiet] [step ...]    --quiet prints nothing if there is nothing to do
 */
import { withLock } from "./setup/lock.mjs";
import { SetupError } from "./setup/run.mjs";
import { hashOf, isFresh, stamp } from "./setup/stamp.mjs";
import { steps } from "./setup/steps.mjs";

const NEEDED = [20, 19];
const say = (text) => process.stderr.write(`set-up: ${text}\n`);

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  throw new SetupError(`Node ${NEEDED.join(".")} or newer is needed, and this is Node ${process.versions.node}.`);
}

/** Runs stale steps, in order. Each is checked when its turn comes, since an earlier step may have made it stale. */
async function bringUpToDate(chosen) {
  for (const step of chosen) {
    if (isFresh(step)) continue;
    const began = Date.now();
    say(`${step.title} ...`);
    const hash = hashOf(step);
    await step.run();
    stamp(step, hash);
    say(`${step.title}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
  }
}

async function main(words) {
  checkNode();
  const names = words.filter((word) => !word.startsWith("--"));
  const chosen = steps.filter((step) => names.length === 0 || names.includes(step.name));
  if (!chosen.every(isFresh)) await withLock(() => bringUpToDate(chosen), say);
  else if (!words.includes("--quiet")) say("everything is fresh");
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  say(error instanceof SetupError ? error.message : (error.stack ?? String(error)));
  process.exitCode = 1;
}
