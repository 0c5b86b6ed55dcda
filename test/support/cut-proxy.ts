/** A proxy for `DATABASE_URL` that can be cut off, or stop responding. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class CutProxy implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();
  private isSilent = false;
  private server: Server | null = null;
  private port = 0;

  private constructor(private readonly target: URL) {}

  /** @param databaseUrl where it leads to */
  static async open(databaseUrl: string): Promise<CutProxy> {
    const proxy = new CutProxy(new URL(databaseUrl));
    await proxy.open();
    return proxy;
  }

  /** The database's URL by way of the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.searchParams.delete("host"); // of a socket
    url.hostname = "127.0.0.1";
    url.port = String(this.port);
    return url.href;
  }

  /** Opens it again, at the same port. */
  async open(): Promise<void> {
    const server = createServer((socket) => this.lead(socket)).listen(this.port, "127.0.0.1");
    await once(server, "listening");
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  private lead(socket: Socket): void {
    const other = connect(Number(this.target.port), this.target.hostname);
    for (const [from, to] of [[socket, other] as const, [other, socket] as const]) {
      this.sockets.add(from);
      if (this.isSilent) from.pause();
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => undefined); // "close" follows
      from.once("close", () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }

  /** Breaks all connections off and takes no new ones, as a server that has died. */
  async cut(): Promise<void> {
    const { server } = this;
    this.server = null;
    const closed = server && once(server, "close");
    server?.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Keeps all connections and lets nothing through, as a network that has lost the server; or lets it through again. */
  silence(isSilent: boolean): void {
    this.isSilent = isSilent;
    for (const socket of this.sockets) {
      if (isSilent) socket.pause();
      else socket.resume();
    }
  }

  /**
   * Ends the server's side of a connection, of which the client hears nothing, as when the server's machine has lost its power.
   * @param port of the proxy, as the server sees it
   */
  forget(port: number): void {
    const other = [...this.sockets].find(({ localPort }) => localPort === port);
    other?.removeAllListeners("close");
    other?.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.server) await this.cut();
  }
}
