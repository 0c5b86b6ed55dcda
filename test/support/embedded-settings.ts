/**
 * Losing data in a crash doesn't matter in a test, and not waiting for the disk makes tests fast. Nor is there anything to vacuum
 * or to replicate: a database lives for seconds.
 */
export const FAST = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  autovacuum: "off",
  shared_buffers: "64MB",
};
/** Name of the run's migrated database, which `createDatabase` copies. */
export const TEMPLATE = "graphbooru_template";
