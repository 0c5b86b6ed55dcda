/** Errors that stop the process, explained in a sentence. */
import { ConfigError } from "../config.js";

/** One sentence for errors that an operator can fix; the stack for bugs. */
export function explainFailure(error: unknown): string {
  if (error instanceof ConfigError)
    return `The configuration has faults:\n${error.faults.map((fault) => `  ${fault}`).join("\n")}`;
  const fault = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (fault.code === "EADDRINUSE")
    return `Port ${fault.port} of ${fault.address} is taken by another program; set PORT to a free one.`;
  if (fault.code === "EADDRNOTAVAIL" || fault.code === "ENOTFOUND") return `HOST is not an address of this machine.`;
  if (fault.code === "EACCES" && fault.port !== undefined)
    return `This user may not listen on port ${fault.port}; set PORT to one above 1023.`;
  if (fault.code === "EACCES" || fault.code === "EROFS")
    return `This user may not write to ${fault.path ?? "the data folder"}.`;
  if (fault.code === "ECONNREFUSED") return `No database answers at the address in DATABASE_URL.`;
  if (
    fault instanceof Error &&
    /^(Embedded|Worker|StorageAway|Backup|Import|NoAdmin|NoPassword)Error$/.test(fault.name)
  )
    return fault.message;
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(error);
}
