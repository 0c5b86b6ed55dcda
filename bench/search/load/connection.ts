/**
 * A keep-alive connection that sends sequential requests. It uses a raw socket, because a client that parses
 * responses, like `fetch`, takes longer than the server for a small response, and would distort the measurement.
 */
import { connect, type Socket } from "node:net";

/** The measured parts of a response. */
export interface Reply {
  status: number;
  /** milliseconds, from sending to the last byte of the body */
  milliseconds: number;
  /** bytes of the body */
  bytes: number;
  /** milliseconds in the database by `Server-Timing`; null without that header */
  database: number | null;
}

interface Head {
  status: number;
  database: number | null;
  /** position of the body */
  end: number;
  /** bytes of the body */
  bytes: number;
}

const END_OF_HEAD = Buffer.from("\r\n\r\n");

export class Connection {
  private received: Buffer = Buffer.alloc(0);
  private head: Head | null = null;
  private sentAt = 0;
  private settle: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | null = null;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.receive(chunk));
    socket.on("error", (error) => this.settle?.reject(error));
    socket.on("close", () => this.settle?.reject(new Error("the server closed the connection")));
  }

  /** @throws the system's error if no server listens */
  static open(host: string, port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      socket.once("error", reject);
      socket.once("connect", () => resolve(new Connection(socket)));
    });
  }

  /** @throws Error if the connection ends, or the response has no Content-Length */
  get(path: string, host: string): Promise<Reply> {
    return this.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n\r\n`);
  }

  /** The same for a serialized request. */
  send(request: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.sentAt = performance.now();
      this.socket.write(request);
    });
  }

  close(): void {
    this.settle = null;
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    try {
      this.head ??= readHead(this.received);
    } catch (error) {
      return void this.socket.destroy(error as Error);
    }
    if (!this.head || this.received.length < this.head.end + this.head.bytes) return;
    const { status, bytes, database, end } = this.head;
    this.received = this.received.subarray(end + bytes);
    this.head = null;
    this.settle?.resolve({ status, bytes, database, milliseconds: performance.now() - this.sentAt });
  }
}

/** Null while the head is incomplete. @throws Error for a response without Content-Length */
function readHead(received: Buffer): Head | null {
  const end = received.indexOf(END_OF_HEAD);
  if (end < 0) return null;
  const text = received.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length:\n${text}`);
  const database = /\r\nserver-timing:[^\r]*\bdb;dur=([\d.]+)/i.exec(text)?.[1];
  return {
    status: Number(text.slice(9, 12)),
    bytes: Number(length),
    database: database === undefined ? null : Number(database),
    end: end + END_OF_HEAD.length,
  };
}
