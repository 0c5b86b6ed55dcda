/** With `WORKERS`, the server processes share the decoder of the first process, by IPC. */
import cluster, { type Worker } from "node:cluster";
import { failure } from "../../errors.js";
import { isOf, sendToWorker } from "../../lib/ipc.js";
import { type Decoded, Decoder, type DecodeRequest, type Decoding } from "./decoder.js";
import { fromWire, toWire, type WireError } from "./protocol.js";
import type { Config } from "../../config.js";
import type { Logger } from "../../runtime/telemetry/log.js";

/** To the process with the decoder. */
interface DecodeMessage {
  is: "decode";
  id: number;
  request: DecodeRequest;
}

/** From it. */
type Reply =
  /** sent at once, as an acknowledgement */
  | { is: "decoding"; id: number }
  | { is: "decoded"; id: number; result: Decoded }
  | { is: "not decoded"; id: number; error: WireError };

/** Timeout of the acknowledgement: a first process of an earlier release sends none. */
const ACKNOWLEDGEMENT_MS = 5_000;

const isDecodeMessage = (message: unknown): message is DecodeMessage => isOf<DecodeMessage>(message, ["decode"]);
const isReply = (message: unknown): message is Reply => isOf<Reply>(message, ["decoding", "decoded", "not decoded"]);

/** A pending call of `decode`. */
interface Pending {
  resolve: (result: Decoded) => void;
  reject: (error: Error) => void;
  timeout: NodeJS.Timeout;
}

/** The decoder of the first process, used from another one. */
export class SharedDecoder implements Decoding {
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;

  constructor() {
    process.on("message", this.onMessage);
  }

  decode(request: DecodeRequest): Promise<Decoded> {
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      const giveUp = () => this.settle(id)?.reject(failure("overloaded"));
      this.pending.set(id, { resolve, reject, timeout: setTimeout(giveUp, ACKNOWLEDGEMENT_MS) });
      const question: DecodeMessage = { is: "decode", id, request };
      process.send?.(question, undefined, undefined, (error: Error | null) => error && giveUp());
    });
  }

  private readonly onMessage = (message: unknown): void => {
    if (!isReply(message)) return;
    if (message.is === "decoding") return clearTimeout(this.pending.get(message.id)?.timeout);
    const pending = this.settle(message.id);
    if (message.is === "decoded") pending?.resolve(message.result);
    else pending?.reject(fromWire(message.error));
  };

  private settle(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    clearTimeout(pending?.timeout);
    this.pending.delete(id);
    return pending;
  }

  [Symbol.asyncDispose](): Promise<void> {
    process.off("message", this.onMessage);
    return Promise.resolve();
  }
}

/** Lets the processes forked by this one use its decoder, until the result is disposed of. */
export function shareDecoder(decoder: Decoding): Disposable {
  const onMessage = (worker: Worker, message: unknown): void => {
    if (!isDecodeMessage(message)) return;
    const { id, request } = message;
    const send = (reply: Reply) => sendToWorker(worker, reply);
    send({ is: "decoding", id });
    decoder.decode(request).then(
      (result) => send({ is: "decoded", id, result }),
      (error: unknown) => send({ is: "not decoded", id, error: toWire(error) }),
    );
  };
  cluster.on("message", onMessage);
  return { [Symbol.dispose]: () => void cluster.off("message", onMessage) };
}

/** With `WORKERS`, all server processes share the decoder of the first process, and its memory. */
export const openDecoder = (config: Config, log: Logger): Decoding =>
  cluster.isWorker ? new SharedDecoder() : new Decoder({ memory: config.DECODING_MEMORY_BYTES, log });
