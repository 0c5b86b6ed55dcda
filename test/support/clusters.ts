/** Ends the servers of test clusters and removes their folders; synchronous, so that it can be done while the process exits. */
import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import path from "node:path";

/** Every file called postmaster.pid in the folder, three levels deep: deeper there are only the clusters' own files. */
function pidFiles(folder: string, depth = 3): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const entryPath = path.join(folder, entry.name);
    if (entry.name === "postmaster.pid") return [entryPath];
    return entry.isDirectory() && depth > 0 ? pidFiles(entryPath, depth - 1) : [];
  });
}

function endServer(pidFile: string): void {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, "utf8"), 10);
    // the number may be another process's by now; a server works in its data folder
    if (process.platform === "linux" && readlinkSync(`/proc/${pid}/cwd`) !== path.dirname(pidFile)) return;
    process.kill(pid, "SIGQUIT");
  } catch {
    // it has ended
  }
}

/** Kills all servers whose data is in the folder, and removes it. What can't be removed now is left to the next run. */
export function discard(folder: string): void {
  try {
    pidFiles(folder).forEach(endServer);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  } catch {
    // another user's, or just being removed
  }
}
