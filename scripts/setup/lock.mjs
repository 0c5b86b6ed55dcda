/** Allows one set-up at a time in a checkout: a folder with a note of its owner. A dead owner's lock is taken over. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { NOTES } from "./paths.mjs";
import { SetupError } from "./run.mjs";

const LOCK = path.join(NOTES, "lock");
const UNSIGNED_GRACE_MS = 5_000;

/** Process id and start time, because ids are reused (after a reboot, or in another container). */
function identity(pid) {
  try {
    const started = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ")[19];
    return `${pid} ${started}`;
  } catch {
    return `${pid}`;
  }
}

const read = (folder) => {
  try {
    return readFileSync(path.join(folder, "owner"), "utf8");
  } catch {
    return undefined;
  }
};

function isAlive(owner) {
  const pid = Number(owner.split(" ")[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === "ESRCH") return false; // EPERM: it runs as another user
  }
  return identity(pid) === owner;
}

function tryLock() {
  try {
    mkdirSync(NOTES, { recursive: true });
    mkdirSync(LOCK);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw new SetupError(`The set-up cannot write to ${NOTES} (${error.code}).`);
  }
  writeFileSync(path.join(LOCK, "owner"), identity(process.pid));
  return true;
}

function isStale(owner) {
  if (owner !== undefined) return !isAlive(owner);
  const age = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  return age > UNSIGNED_GRACE_MS; // killed after creating the folder and before writing the note
}

/** Moves a stale lock away. If another process has replaced it in the meantime, it is put back. */
function breakLock(owner) {
  const aside = `${LOCK}-${process.pid}`;
  try {
    renameSync(LOCK, aside);
    if (read(aside) === owner) rmSync(aside, { recursive: true, force: true });
    else renameSync(aside, LOCK);
  } catch {
    // another process was faster; the next round checks again
  }
}

/** Runs `work` while no other set-up of this checkout runs. */
export async function withLock(work, say) {
  for (let told = false; !tryLock();) {
    const owner = read(LOCK);
    if (isStale(owner)) breakLock(owner);
    else if (!told) told = say(`waiting for another set-up (process ${owner?.split(" ")[0] ?? "unknown"})`) ?? true;
    await sleep(100);
  }
  const unlock = () => rmSync(LOCK, { recursive: true, force: true });
  process.once("exit", unlock);
  try {
    await work();
  } finally {
    process.off("exit", unlock);
    unlock();
  }
}
