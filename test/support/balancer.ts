/**
 * A typical load balancer: checks each server's /readyz continuously, sends requests to those that are ready in turn, over
 * connections that it keeps open, and retries nothing.
 */
import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 100;

interface Backend {
  url: string;
  agent: Agent;
  isReady: boolean;
}

export class Balancer implements AsyncDisposable {
  private readonly backends = new Map<string, Backend>();
  private turn = 0;

  private constructor(
    private readonly http: Server,
    private readonly looking: NodeJS.Timeout,
  ) {}

  static async start(): Promise<Balancer> {
    const http = createServer();
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    const balancer: Balancer = new Balancer(
      http,
      setInterval(() => balancer.look(), LOOK_MS),
    );
    http.on("request", (asked: IncomingMessage, answer: ServerResponse) => balancer.pass(asked, answer));
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  private add(url: string): void {
    this.backends.set(url, { url, agent: new Agent({ keepAlive: true }), isReady: false });
  }

  /** Adds a server, and settles when requests are sent there. */
  async join(url: string): Promise<void> {
    this.add(url);
    while (!this.uses(url)) await sleep(10);
  }

  /** Whether it sends requests to this server. */
  uses(url: string): boolean {
    return this.backends.get(url)?.isReady === true;
  }

  private look(): void {
    for (const backend of this.backends.values()) {
      get(`${backend.url}/readyz`, { agent: false }, (answer) => {
        backend.isReady = answer.statusCode === 200;
        answer.resume();
      }).on("error", () => (backend.isReady = false));
    }
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const ready = [...this.backends.values()].filter(({ isReady }) => isReady);
    const backend = ready[(this.turn += 1) % ready.length];
    if (!backend) return void answer.writeHead(502).end("no server is ready");
    const { method, headers } = asked;
    const passed = request(`${backend.url}${asked.url}`, { method, headers, agent: backend.agent }, (answered) => {
      const { connection: _, "keep-alive": _timeout, ...rest } = answered.headers;
      answer.writeHead(answered.statusCode ?? 502, rest);
      answered.pipe(answer);
    });
    passed.on("error", (error) =>
      answer.headersSent ? answer.destroy() : answer.writeHead(502).end(`${backend.url}: ${error}`),
    );
    asked.pipe(passed);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.looking);
    for (const { agent } of this.backends.values()) agent.destroy();
    this.http.close();
    this.http.closeAllConnections();
    await once(this.http, "close");
  }
}
