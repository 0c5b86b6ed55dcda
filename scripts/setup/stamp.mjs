/** Stamps: a step is up to date while its inputs are unchanged and its outputs exist. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { at, NOTES } from "./paths.mjs";

/** All files in the given files and folders, sorted; missing ones are left out. */
function filesIn(inputs) {
  return inputs.flatMap((input) => {
    const stat = statSync(at(input), { throwIfNoEntry: false });
    if (!stat) return [];
    if (!stat.isDirectory()) return [input];
    return filesIn(
      readdirSync(at(input))
        .sort()
        .map((name) => path.posix.join(input, name)),
    );
  });
}

/** A hash of the step's inputs. */
export function hashOf(step) {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch} ${step.version ?? 1}`);
  for (const file of filesIn(step.inputs)) {
    if (step.ignore?.test(file)) continue;
    hash.update(`\0${file}\0`).update(readFileSync(at(file)));
  }
  return hash.digest("hex");
}

const stampFile = (step) => path.join(NOTES, `${step.name}.json`);

function stampedHash(step) {
  try {
    return JSON.parse(readFileSync(stampFile(step), "utf8")).hash;
  } catch {
    return undefined; // missing or truncated, so stale
  }
}

const isMade = (output) => {
  const stat = statSync(at(output), { throwIfNoEntry: false });
  return Boolean(stat) && (!stat.isDirectory() || readdirSync(at(output)).length > 0);
};

/** Whether there is nothing to do, also if the step's `needs` are not in the checkout. */
export function isFresh(step) {
  if (step.needs?.some((file) => !existsSync(at(file)))) return true;
  return step.outputs.every(isMade) && stampedHash(step) === hashOf(step);
}

/** Records that the step was done with the inputs of this hash, taken before it ran: they may have changed meanwhile. */
export function stamp(step, hash) {
  mkdirSync(NOTES, { recursive: true });
  const file = stampFile(step);
  writeFileSync(`${file}.${process.pid}`, JSON.stringify({ hash }));
  renameSync(`${file}.${process.pid}`, file);
}
