/** One decoder for all server processes of `WORKERS`: it belongs to the process that has started them, and they ask it. */
import cluster, { type Worker } from "node:cluster";
import { failure } from "../../errors.js";
import type { Decoded, DecodeRequest, Decoding } from "./decoder.js";
import { fromWire, toWire, type WireError } from "./protocol.js";

/** To the process that has the decoder. */
interface Question {
  is: "decode";
  id: number;
  request: DecodeRequest;
}

/** From it. */
type Reply =
  /** at once: it knows what is asked of it */
  | { is: "decoding"; id: number }
  | { is: "decoded"; id: number; result: Decoded }
  | { is: "not decoded"; id: number; error: WireError };

/** Milliseconds in which the first reply comes; one that was started by an earlier release gives none. */
const PATIENCE = 5_000;

const REPLIES: unknown[] = ["decoding", "decoded", "not decoded"];
const wordOf = (message: unknown): unknown => (message as { is?: unknown } | null)?.is;
const isQuestion = (message: unknown): message is Question => wordOf(message) === "decode";
const isReply = (message: unknown): message is Reply => REPLIES.includes(wordOf(message));

/** Somebody who waits for a file. */
interface Waiting {
  resolve: (result: Decoded) => void;
  reject: (error: Error) => void;
  patience: NodeJS.Timeout;
}

/** What a server process has in place of a decoder. */
export class SharedDecoder implements Decoding {
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;

  constructor() {
    process.on("message", this.hear);
  }

  decode(request: DecodeRequest): Promise<Decoded> {
    const id = (this.asked += 1);
    return new Promise((resolve, reject) => {
      const giveUp = () => this.settle(id)?.reject(failure("overloaded"));
      this.waiting.set(id, { resolve, reject, patience: setTimeout(giveUp, PATIENCE) });
      const question: Question = { is: "decode", id, request };
      process.send?.(question, undefined, undefined, (error: Error | null) => error && giveUp());
    });
  }

  private readonly hear = (message: unknown): void => {
    if (!isReply(message)) return;
    if (message.is === "decoding") return clearTimeout(this.waiting.get(message.id)?.patience);
    const waiting = this.settle(message.id);
    if (message.is === "decoded") waiting?.resolve(message.result);
    else waiting?.reject(fromWire(message.error));
  };

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    clearTimeout(waiting?.patience);
    this.waiting.delete(id);
    return waiting;
  }

  [Symbol.asyncDispose](): Promise<void> {
    process.off("message", this.hear);
    return Promise.resolve();
  }
}

/** Lets the server processes of this one use its decoder, until what is returned is disposed of. */
export function shareDecoder(decoder: Decoding): Disposable {
  const hear = (worker: Worker, message: unknown): void => {
    if (!isQuestion(message)) return;
    const { id, request } = message;
    const send = (reply: Reply) => void (worker.isConnected() && worker.send(reply));
    send({ is: "decoding", id });
    decoder.decode(request).then(
      (result) => send({ is: "decoded", id, result }),
      (error: unknown) => send({ is: "not decoded", id, error: toWire(error) }),
    );
  };
  cluster.on("message", hear);
  return { [Symbol.dispose]: () => void cluster.off("message", hear) };
}
