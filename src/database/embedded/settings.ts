/**
 * The server's settings, given at each start on its command line, so that nothing has to be kept in its folder. The machine in
 * mind has two cores and shares its memory with the board.
 */
import os from "node:os";

const MEGABYTE = 1024 * 1024;

/** Megabytes that this process may use: the machine's, or those of its container. */
function memory(): number {
  const constrained = process.constrainedMemory();
  return Math.floor(Math.min(os.totalmem(), constrained > 0 ? constrained : Infinity) / MEGABYTE);
}

/** A sixteenth of the memory: 1.5 GB of 24, which holds what is searched of two million posts. */
const sharedBuffers = (): number => Math.min(Math.max(Math.floor(memory() / 16), 128), 4096);

const DEFAULTS: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "", // a socket file in /tmp would be one more thing to leave behind
  password_encryption: "scram-sha-256",
  max_connections: "100",
  shared_buffers: `${sharedBuffers()}MB`,
  effective_cache_size: `${Math.floor(memory() / 2)}MB`,
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  random_page_cost: "1.1", // the data is on a solid-state disk or in memory
  jit: "off", // compiling costs more than our short queries take
  max_parallel_workers_per_gather: "0", // the second core is the board's
  max_wal_size: "2GB",
  timezone: "UTC",
  // the log has starts, stops and crashes; errors of single statements are the board's to report
  log_min_messages: "log",
  log_checkpoints: "off",
  log_autovacuum_min_duration: "-1",
  log_timezone: "UTC",
};

/** Command-line arguments of `postgres` for the defaults, overridden by `settings`, and the port. */
export const settingArguments = (settings: Record<string, string>, port: number): string[] =>
  Object.entries({ ...DEFAULTS, ...settings, port: String(port) }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
