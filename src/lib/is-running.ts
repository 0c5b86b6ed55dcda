import { codeOf } from "./error-code.js";

/** Whether a process with this id runs, as whichever user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM"; // it runs as another user
  }
}
