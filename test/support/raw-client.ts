/** A client on a raw socket: sends as much of a request as a test wants, and reads as much of the response. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export class RawClient implements Disposable {
  /** the bytes received so far */
  received = "";
  /** whether the connection was closed by the server or lost */
  isClosed = false;

  private constructor(private readonly socket: Socket) {
    socket.on("data", (chunk: Buffer) => (this.received += chunk.toString("latin1")));
    socket.on("error", () => undefined); // "close" follows
    socket.once("close", () => (this.isClosed = true));
  }

  /** @param localAddress the client's own address, another one of this machine */
  static async connect(url: string, localAddress = "127.0.0.1"): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname, localAddress });
    await once(socket, "connect");
    return new RawClient(socket);
  }

  /** This many clients that send the same. */
  static crowd(url: string, count: number, text = "", localAddress?: string): Promise<RawClient[]> {
    return Promise.all(
      Array.from({ length: count }, async () => {
        const client = await RawClient.connect(url, localAddress);
        client.say(text);
        return client;
      }),
    );
  }

  say(text: string): void {
    if (text) this.socket.write(text);
  }

  /** Sends text, and waits until the socket accepts more. */
  async sayAll(text: string): Promise<void> {
    if (!this.socket.write(text)) await once(this.socket, "drain");
  }

  /** Reads no more. */
  stopReading(): void {
    this.socket.pause();
  }

  readAgain(): void {
    this.socket.resume();
  }

  /** The status of the first response; 0 if there is none yet. */
  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.received)?.[1] ?? 0);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

/** The text of a GET. */
export const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: board\r\n\r\n`;

/** The text of a request to open a WebSocket. */
export const HANDSHAKE = [
  "GET /graphql HTTP/1.1",
  "Host: board",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Protocol: graphql-transport-ws",
  "\r\n",
].join("\r\n");
