/** Losing data in a crash is no loss in a test, and not waiting for the disk makes tests fast. */
export const FAST = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "64MB" };
/** Name of the run's migrated database, which `createDatabase` copies. */
export const TEMPLATE = "graphbooru_template";
