/** With `WORKERS`, the server processes share the decoder of the first process, by IPC. */
import cluster from "node:cluster";
import { failure } from "../../errors.js";
import { receive, receiveFromAll, Requests, sendToPrimary, sendToWorker } from "../../lib/ipc.js";
import { type Decoded, Decoder, type DecodeRequest, type Decoding } from "./decoder.js";
import { fromWire, toWire } from "./protocol.js";
import type { WireError } from "./replies.js";
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

/** The decoder of the first process, used from another one. */
export class SharedDecoder implements Decoding {
  private readonly requests = new Requests<Decoded>(() => failure("overloaded"));
  private readonly receiving = receive<Reply>(process, {
    decoding: ({ id }) => this.requests.acknowledge(id),
    decoded: ({ id, result }) => this.requests.take(id)?.resolve(result),
    "not decoded": ({ id, error }) => this.requests.take(id)?.reject(fromWire(error)),
  });

  decode(request: DecodeRequest): Promise<Decoded> {
    const send = (id: number) => sendToPrimary({ is: "decode", id, request } satisfies DecodeMessage);
    return this.requests.ask(send, ACKNOWLEDGEMENT_MS);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.receiving[Symbol.dispose]();
    return Promise.resolve();
  }
}

/** Lets the processes forked by this one use its decoder, until the result is disposed of. */
export const shareDecoder = (decoder: Decoding): Disposable =>
  receiveFromAll<DecodeMessage>({
    decode({ id, request }, worker) {
      const send = (reply: Reply) => sendToWorker(worker, reply);
      send({ is: "decoding", id });
      decoder.decode(request).then(
        (result) => send({ is: "decoded", id, result }),
        (error: unknown) => send({ is: "not decoded", id, error: toWire(error) }),
      );
    },
  });

/** With `WORKERS`, all server processes share the decoder of the first process, and its memory. */
export const openDecoder = (config: Config, log: Logger): Decoding =>
  cluster.isWorker ? new SharedDecoder() : new Decoder({ memory: config.DECODING_MEMORY_BYTES, log });
