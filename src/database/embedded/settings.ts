/**
 * The server's settings, passed on the command line at each start, so that its folder needs no configuration. They are for a
 * machine with two cores, whose memory is shared with the board.
 */
import os from "node:os";

const MEGABYTE = 1024 * 1024;

/** Memory of the machine or container in megabytes. */
function memory(): number {
  const constrained = process.constrainedMemory();
  return Math.floor(Math.min(os.totalmem(), constrained > 0 ? constrained : Infinity) / MEGABYTE);
}

/** A sixteenth of the memory: 1.5 GB of 24, enough for the indexes that searches of two million posts read. */
const sharedBuffers = (): number => Math.min(Math.max(Math.floor(memory() / 16), 128), 4096);

const DEFAULTS: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "", // a killed server would leave the socket file
  password_encryption: "scram-sha-256",
  max_connections: "100",
  shared_buffers: `${sharedBuffers()}MB`,
  effective_cache_size: `${Math.floor(memory() / 2)}MB`,
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  random_page_cost: "1.1", // the data is on an SSD or in memory
  jit: "off", // compiling takes longer than our short queries
  max_parallel_workers_per_gather: "0", // the second core is for the board
  max_wal_size: "2GB",
  timezone: "UTC",
  // log starts, stops and crashes; the board reports errors of statements
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
