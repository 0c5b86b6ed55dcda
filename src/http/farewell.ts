/**
 * How a server takes leave of its clients without losing an answer. It goes on serving, and says on every answer that the
 * connection ends with it, so that clients leave between two requests. Were idle connections closed at once, a request that is on
 * its way would be lost.
 */
import type { Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** How often is looked for connections that have become idle. */
const LOOK_MS = 250;

export class Farewell {
  private hasBegun = false;
  private isGoing = false;
  private readonly answers = new Set<ServerResponse>();
  private looking: NodeJS.Timeout | undefined;

  /** @param http a server that does not listen yet */
  constructor(private readonly http: Server) {
    http.prependListener("request", (_request, response: ServerResponse) => {
      if (this.hasBegun) response.shouldKeepAlive = false;
      this.answers.add(response);
      response.once("close", () => this.answers.delete(response));
    });
  }

  /** Whether balancers are to send requests elsewhere. */
  get isLeaving(): boolean {
    return this.isGoing;
  }

  /** Goes on serving for this many milliseconds, new connections too, while `isLeaving` is true. */
  async leave(milliseconds: number): Promise<void> {
    this.isGoing = true;
    this.begin();
    await sleep(milliseconds);
  }

  /**
   * Takes no more connections, since another process does, and settles when those that there are have ended.
   * @param onStopAccepting called and awaited once no new connections are accepted
   * @param idle milliseconds that connections without a request have for their next one
   * @param longest milliseconds after which it settles in any case
   */
  async handOver(onStopAccepting: () => Promise<void>, idle: number, longest: number): Promise<void> {
    this.begin();
    // not http.close(), which breaks off every connection that is between two requests
    const ended = new Promise<void>((resolve) => NetServer.prototype.close.call(this.http, () => resolve()));
    await onStopAccepting();
    const closing = setTimeout(() => this.closeIdle(), idle);
    const patience = new AbortController();
    await Promise.race([ended, sleep(longest, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
    clearTimeout(closing);
    clearInterval(this.looking);
  }

  private begin(): void {
    this.hasBegun = true;
    for (const answer of this.answers) if (!answer.headersSent) answer.shouldKeepAlive = false;
  }

  /** Again and again, for an answer that had begun before leaves an idle connection too. */
  private closeIdle(): void {
    this.http.closeIdleConnections();
    this.looking = setInterval(() => this.http.closeIdleConnections(), LOOK_MS);
  }
}
