/** The client for attacks: requests and raw connections from the attacker's own addresses, counted and limited. */
import { Agent, type ClientRequest, type IncomingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { Readable } from "node:stream";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { Facts, Login, Order, Tally } from "./attack.js";

/** Past either the attack is over: this machine is to stay usable. */
const MAX_SENT = 900_000_000;
const MAX_REQUESTS = 60_000;
/** Of an answer so much is kept, in characters. */
const KEPT = 1_000_000;
const ANSWER_MS = 30_000;

export interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | AsyncIterable<Buffer | string>;
  /** which of the attacker's addresses; the first by default */
  from?: number;
  /** as the member */
  signedIn?: boolean;
}

export interface Reply {
  /** 0 when there was no answer */
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const NO_REPLY: Reply = { status: 0, headers: {}, text: "" };

const replyTo = (asking: ClientRequest): Promise<Reply> =>
  new Promise((resolve) => {
    asking.once("error", () => resolve(NO_REPLY));
    asking.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += text.length < KEPT ? chunk : ""));
      response.once("error", () => resolve(NO_REPLY));
      response.once("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
  });

/** Of a message of the subscriptions' protocol. */
const kindOf = (data: Buffer): string => /"type":"(\w+)"/.exec(data.toString("latin1"))?.[1] ?? "message";

export class Target {
  readonly url: URL;
  readonly facts: Facts;
  readonly member: Login;
  readonly tally: Tally = { requests: 0, sent: 0, statuses: {} };
  private readonly end = new AbortController();
  private readonly agent = new Agent({ keepAlive: true });
  private readonly open = new Set<Socket | WebSocket>();

  constructor(private readonly order: Order) {
    this.url = new URL(order.url);
    this.facts = order.facts;
    this.member = order.member;
    setMaxListeners(0, this.signal); // everything that is under way listens
  }

  /** Aborted when the time is over, or as much was sent as an attack may send. */
  get signal(): AbortSignal {
    return this.end.signal;
  }

  get isOver(): boolean {
    return this.end.signal.aborted;
  }

  address(from = 0): string {
    return this.order.addresses[from % this.order.addresses.length] as string;
  }

  get authorization(): string {
    const { name, apiKey } = this.member;
    return `Basic ${Buffer.from(`${name}:${apiKey}`).toString("base64")}`;
  }

  /** Ends everything that is under way. */
  stop(): void {
    this.end.abort();
    for (const each of this.open) {
      if (each instanceof WebSocket) each.terminate();
      else each.destroy();
    }
    this.agent.destroy();
  }

  private count(sent: number, requests = 0): void {
    this.tally.sent += sent;
    this.tally.requests += requests;
    if (this.tally.sent > MAX_SENT || this.tally.requests > MAX_REQUESTS) this.stop();
  }

  private answered(status: number | string): void {
    this.tally.statuses[status] = (this.tally.statuses[status] ?? 0) + 1;
  }

  /** Asks, and waits for the answer; never throws. */
  async ask({ method = "GET", path, headers = {}, body, from = 0, signedIn = false }: Asked): Promise<Reply> {
    this.count(path.length + (typeof body === "string" || Buffer.isBuffer(body) ? body.length : 0), 1);
    const asking = request({
      host: this.url.hostname,
      port: this.url.port,
      method,
      path,
      headers: { ...(signedIn ? { authorization: this.authorization } : {}), ...headers },
      agent: this.agent,
      localAddress: this.address(from),
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    if (body === undefined || typeof body === "string" || Buffer.isBuffer(body)) asking.end(body);
    else
      Readable.from(this.counted(body))
        .on("error", () => undefined)
        .pipe(asking);
    const reply = await replyTo(asking);
    if (!this.isOver) this.answered(reply.status);
    return reply;
  }

  private async *counted(body: AsyncIterable<Buffer | string>): AsyncIterable<Buffer | string> {
    for await (const chunk of body) {
      this.count(chunk.length);
      yield chunk;
      if (this.isOver) return;
    }
  }

  /** Asks GraphQL by POST. */
  graphql(query: string, variables: unknown = {}, more: Partial<Asked> = {}): Promise<Reply> {
    const headers = { "content-type": "application/json" };
    return this.ask({ method: "POST", path: "/graphql", headers, body: JSON.stringify({ query, variables }), ...more });
  }

  /** A bare connection; closed from the beginning when it can't be had. @param isReading whether what comes is taken */
  async connect({ from = 0, isReading = true } = {}): Promise<Wire> {
    const socket = connect({ host: this.url.hostname, port: Number(this.url.port), localAddress: this.address(from) });
    const wire = new Wire(
      socket,
      (bytes) => this.count(bytes),
      (status) => this.answered(status),
    );
    this.tally.requests += 1;
    this.open.add(socket);
    socket.once("close", () => this.open.delete(socket));
    await new Promise<void>((resolve) => socket.once("connect", resolve).once("close", () => resolve()));
    if (isReading) wire.read();
    return wire;
  }

  /** A WebSocket of the subscriptions' protocol; null when it can't be had. */
  async webSocket({ from = 0 } = {}): Promise<Channel | null> {
    const address = `${this.order.url.replace("http", "ws")}/graphql`;
    const socket = new WebSocket(address, "graphql-transport-ws", { localAddress: this.address(from) });
    this.tally.requests += 1;
    this.open.add(socket);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.on("error", () => resolve(false)).once("close", () => resolve(false));
      socket.once("open", () => resolve(true));
    });
    socket.on("message", (data: Buffer) => this.answered(kindOf(data)));
    socket.once("close", (code) => {
      this.open.delete(socket);
      if (!this.isOver) this.answered(code);
    });
    return isOpen ? new Channel(socket, (bytes) => this.count(bytes)) : null;
  }

  /** So many who do it again and again until the time is over, or the count is reached. */
  async flood(atOnce: number, work: (index: number) => Promise<unknown>, count = MAX_REQUESTS): Promise<void> {
    let next = 0;
    const worker = async () => {
      while (!this.isOver && next < count) await work(next++);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  /** Waits, at most until the time is over. */
  wait(milliseconds: number): Promise<void> {
    return sleep(milliseconds, undefined, { signal: this.signal }).catch(() => undefined);
  }

  /** Waits until the time is over. */
  rest(): Promise<void> {
    return this.wait(2 ** 30);
  }
}

/** A bare connection. */
export class Wire {
  /** what came so far, the beginning of it */
  received = "";
  isClosed = false;

  constructor(
    readonly socket: Socket,
    private readonly sent: (bytes: number) => void,
    answered: (status: number) => void,
  ) {
    socket.on("error", () => undefined);
    socket.once("close", () => {
      this.isClosed = true;
      const status = /^HTTP\/1\.1 (\d+)/.exec(this.received)?.[1];
      if (status !== undefined) answered(Number(status));
    });
  }

  read(): void {
    this.socket.on("data", (chunk) => (this.received += this.received.length < KEPT ? chunk.toString("latin1") : ""));
  }

  /** Sends, and waits until the system has taken it. @returns whether the connection is still there */
  async say(data: string | Buffer): Promise<boolean> {
    if (this.isClosed) return false;
    this.sent(data.length);
    if (this.socket.write(data)) return true;
    await new Promise<void>((resolve) => {
      this.socket.once("drain", resolve).once("close", () => resolve());
    });
    return !this.isClosed;
  }

  /** Settles when the other side has closed it. */
  async closed(): Promise<void> {
    if (!this.isClosed) await new Promise<void>((resolve) => this.socket.once("close", () => resolve()));
  }
}

interface Operation {
  id?: string;
  variables?: unknown;
  /** which of the document's operations */
  operationName?: string | null;
}

/** An open WebSocket. */
export class Channel {
  constructor(
    readonly socket: WebSocket,
    private readonly sent: (bytes: number) => void,
  ) {}

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Does it again and again, until either side ends it. */
  async whileOpen(work: (channel: Channel) => Promise<unknown>): Promise<void> {
    while (this.isOpen) {
      await work(this);
      await setImmediate(); // or the clock would never be looked at
    }
  }

  /** Sends a message; settles when the system has taken it. */
  say(message: unknown): Promise<void> {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    this.sent(text.length);
    return new Promise((resolve) => this.socket.send(text, () => resolve()));
  }

  ping(payload: Buffer | string): Promise<void> {
    this.sent(payload.length);
    return new Promise((resolve) => {
      try {
        this.socket.ping(payload, true, () => resolve());
      } catch {
        resolve();
      }
    });
  }

  /** The protocol's greeting. @returns whether it was taken */
  async greet(payload: Record<string, unknown> = {}): Promise<boolean> {
    const answer = new Promise<boolean>((resolve) => {
      this.socket.once("message", () => resolve(true)).once("close", () => resolve(false));
    });
    await this.say({ type: "connection_init", payload });
    return answer;
  }

  /** Begins an operation, whatever its kind. */
  subscribe(query: string, { variables = {}, id = randomUUID(), operationName = null }: Operation = {}) {
    return this.say({ id, type: "subscribe", payload: { query, variables, operationName } });
  }
}
