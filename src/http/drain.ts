/**
 * Stops a server without losing a response. It keeps serving, with `Connection: close` on every response, so that clients close
 * their connections between two requests. If idle connections were closed at once, a request on its way would be lost.
 */
import type { Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Interval at which connections that have become idle are closed. */
const CLOSE_IDLE_MS = 250;

export class Drain {
  private closesConnections = false;
  private hasBegun = false;
  private closing: NodeJS.Timeout | undefined;

  /** @param http a server that does not listen yet @param unended gives its responses that have not ended */
  constructor(
    private readonly http: Server,
    private readonly unended: () => ServerResponse[],
  ) {
    http.prependListener("request", (_, response: ServerResponse) => {
      if (this.closesConnections) response.shouldKeepAlive = false;
    });
  }

  /** Whether load balancers should send requests elsewhere. */
  get isDraining(): boolean {
    return this.hasBegun;
  }

  /** Keeps serving for this many milliseconds, new connections too, while `isDraining` is true. */
  async wait(milliseconds: number): Promise<void> {
    this.hasBegun = true;
    this.closeAfterResponses();
    await sleep(milliseconds);
  }

  /**
   * Stops accepting connections, since another process accepts them, and settles when the existing ones have ended.
   * @param onStopAccepting called and awaited once no new connections are accepted
   * @param idle milliseconds that connections without a request have for their next one
   * @param longest milliseconds after which it settles in any case
   */
  async stop(onStopAccepting: () => Promise<void>, idle: number, longest: number): Promise<void> {
    this.closeAfterResponses();
    // not http.close(), which ends every connection that is between two requests
    const ended = new Promise<void>((resolve) => NetServer.prototype.close.call(this.http, () => resolve()));
    await onStopAccepting();
    const timer = setTimeout(() => this.closeIdle(), idle);
    await Promise.race([ended, sleep(longest, undefined, { ref: false })]);
    clearTimeout(timer);
    clearInterval(this.closing);
  }

  private closeAfterResponses(): void {
    this.closesConnections = true;
    for (const response of this.unended()) if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /** Repeated, since a response that had begun before also leaves an idle connection. */
  private closeIdle(): void {
    this.http.closeIdleConnections();
    this.closing = setInterval(() => this.http.closeIdleConnections(), CLOSE_IDLE_MS);
  }
}
