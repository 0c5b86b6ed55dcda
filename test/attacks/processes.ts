/** The resources of the board's processes, as Linux reports them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // it has ended meanwhile
  }
};

/** These processes and all below them. */
export function familyOf(roots: readonly number[]): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = /\) \w (\d+)/.exec(read(`/proc/${name}/stat`))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isOfFamily = (pid: number | undefined): boolean =>
    pid !== undefined && (roots.includes(pid) || isOfFamily(parents.get(pid)));
  return [...parents.keys()].filter(isOfFamily);
}

/**
 * Memory of all of them together, in bytes: proportional set sizes, in which what several share (PostgreSQL's buffers, the
 * code of Node) counts once.
 */
export function memoryOf(pids: readonly number[]): number {
  const kibibytes = pids.map((pid) => Number(/^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0));
  return kibibytes.reduce((sum, each) => sum + each, 0) * 1024;
}

/** What a folder takes on the disk with everything in it, in bytes. */
export function diskUse(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const below = path.join(folder, entry.name);
      return sum + (entry.isDirectory() ? diskUse(below) : sizeOf(below));
    }, 0);
  } catch {
    return 0; // not there, or just being removed
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).blocks * 512;
  } catch {
    return 0;
  }
}
