/** Opens the decoder of this process. */
import cluster from "node:cluster";
import type { Config } from "../../config.js";
import type { Logger } from "../../runtime/telemetry/log.js";
import { Decoder, type Decoding } from "./decoder.js";
import { SharedDecoder } from "./shared.js";

/** With `WORKERS`, all server processes share the decoder of the first process, and its memory. */
export const openDecoder = (config: Config, log: Logger): Decoding =>
  cluster.isWorker ? new SharedDecoder() : new Decoder({ memory: config.DECODING_MEMORY_BYTES, log });
