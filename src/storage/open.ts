import { type Config, ConfigError, missingForS3 } from "../config.js";
import type { Logger } from "../runtime/telemetry/log.js";
import { DiskStorage } from "./disk.js";
import { type Storage, StorageUnavailableError } from "./storage.js";

export type StorageKind = Config["STORAGE"];

/**
 * Opens a storage. An unreachable store is only logged: it may be back before it is needed.
 * @param kind by default the board's
 * @throws ConfigError for missing settings, an unknown bucket or wrong credentials
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
    if (!(error instanceof StorageUnavailableError)) {
      await storage[Symbol.asyncDispose]();
      throw error;
    }
    log?.warn({ err: error }, "file storage unreachable");
  }
  return storage;
}
