/** The storage that the configuration describes. */
import { type Config, ConfigError, missingForS3 } from "../config.js";
import type { Logger } from "../runtime/telemetry/log.js";
import { DiskStorage } from "./disk.js";
import { type Storage, StorageAwayError } from "./storage.js";

/** The kinds of storages there are. */
export type StorageKind = Config["STORAGE"];

/**
 * Opens a storage. A store that is away keeps no board from being opened: it may be back before it is needed.
 * @param kind another one than the board's own
 * @throws ConfigError when settings lack, or the store knows no such bucket or credentials
 */
export async function openStorage(config: Config, log?: Logger, kind: StorageKind = config.STORAGE): Promise<Storage> {
  return kind === "s3" ? openS3(config, log) : new DiskStorage(config.mediaDir);
}

async function openS3(config: Config, log?: Logger): Promise<Storage> {
  const faults = missingForS3(config);
  if (faults.length > 0) throw new ConfigError(faults);
  const { S3Storage } = await import("./s3.js");
  const storage = new S3Storage(config);
  try {
    await storage.check();
  } catch (error) {
    if (!(error instanceof StorageAwayError)) {
      await storage[Symbol.asyncDispose]();
      throw error;
    }
    log?.warn({ err: error }, "the file storage does not answer");
  }
  return storage;
}
