/**
 * Limits the connections of a server, in all and for each address. When there are too many, one without work in progress
 * is closed: idle, sending its request, or not reading its response. It is the one of the address with the most connections
 * that has been in this state for longest, so a client that opens many can't keep others out.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Node, Yallist } from "yallist";
import { overloaded } from "../errors.js";
import { KeyedSemaphore } from "../lib/semaphore.js";
import { addressKey } from "../runtime/limits/limiter.js";
import { getOrMake } from "../lib/get-or-make.js";
import { writtenRefusal } from "./unparsed.js";

const REFUSAL = writtenRefusal(overloaded());

interface Exchange {
  request: IncomingMessage;
  /** null if it began another protocol (WebSocket) */
  response: ServerResponse | null;
}

/** Whether a connection has no work in progress: it waits for its client. */
function isWaitingForClient({ line: [exchange] }: Connection): boolean {
  if (!exchange?.response) return exchange === undefined;
  return !exchange.request.complete || exchange.response.headersSent;
}

class Connection {
  readonly link = new Node<Connection>(this);
  /** those that have not ended, in their order: pipelined ones wait for the first, whose state is the connection's */
  readonly line: Exchange[] = [];

  /** @param own key of its own address @param key the party that it counts for */
  constructor(
    readonly socket: Socket,
    readonly own: string,
    public key = own,
  ) {}
}

/**
 * The connections of one party, ordered by how long they have been in their state. No Map or Set: of what comes and goes with every request,
 * one of their outgrown tables in the old generation keeps all later ones until the next full garbage collection.
 */
type Share = Yallist<Connection>;

export interface ConnectionBounds {
  /** connections in all; a quarter of them may be WebSockets, which are never closed for others */
  most: number;
  /** of them for one address, a quarter of these too; IPv6 by its /64 */
  mostOfAddress: number;
  /** whether an address is a proxy's, behind which there are many clients */
  isProxy: (address: string) => boolean;
  /** address of the client that sends a request; behind a proxy, not the connection's own */
  clientOf: (request: IncomingMessage) => string;
  onRefused: () => void;
}

/** Share of all connections, and of those of an address, that may be WebSockets, including those about to be closed. */
const UPGRADED_SHARE = 1 / 4;

/** The party of a proxy's connections while they carry no request. It has no limit of its own. */
const PROXY = "proxy";

class Connections {
  private readonly shares = new Map<string, Share>();
  private readonly connections = new Map<Socket, Connection>();

  constructor(private readonly bounds: ConnectionBounds) {}

  /** Adds a connection if there is room, or after closing another one. @returns whether it was added */
  admit(socket: Socket): boolean {
    const { remoteAddress = "" } = socket;
    const { most, mostOfAddress, isProxy } = this.bounds;
    const key = isProxy(remoteAddress) ? PROXY : addressKey(remoteAddress);
    const isOver = key !== PROXY && (this.shares.get(key)?.length ?? 0) >= mostOfAddress;
    if (isOver && !this.closeOneOf(key)) return false;
    if (this.connections.size >= most && !this.makeRoom()) return false;
    const connection = new Connection(socket, key);
    this.connections.set(socket, connection);
    this.shareOf(key).pushNode(connection.link);
    socket.once("close", () => this.remove(connection));
    return true;
  }

  /** A request has arrived on its connection, which counts for its client once those before it have ended. */
  begin(exchange: Exchange): void {
    const connection = this.connections.get(exchange.request.socket);
    if (!connection) return;
    connection.line.push(exchange);
    if (connection.line.length > 1) return;
    this.change(connection);
    const { own, key } = connection;
    if (own === PROXY && this.shareOf(key).length > this.bounds.mostOfAddress) this.closeOneOf(key);
  }

  /** The request's response has ended; the next one may wait. */
  end(exchange: Exchange): void {
    const connection = this.connections.get(exchange.request.socket);
    if (!connection) return;
    connection.line.splice(connection.line.indexOf(exchange), 1);
    this.change(connection);
  }

  /** Those that have not ended. With a connection, those end that wait for their turn, of which Node reports no "close". */
  get responses(): ServerResponse[] {
    return [...this.connections.values()].flatMap(({ line }) => line.flatMap(({ response }) => response ?? []));
  }

  private makeRoom(): boolean {
    const largestFirst = [...this.shares].toSorted(([, one], [, other]) => other.length - one.length);
    return largestFirst.some(([key]) => this.closeOneOf(key));
  }

  private closeOneOf(key: string): boolean {
    for (const connection of this.shares.get(key) ?? []) {
      if (!isWaitingForClient(connection)) continue;
      this.remove(connection); // before it has closed, so that the next one is counted correctly
      connection.socket.destroy();
      return true;
    }
    return false;
  }

  private shareOf(key: string): Share {
    return getOrMake(this.shares, key, () => new Yallist());
  }

  /** The connection is in another state from now on, and may count for another party. */
  private change(connection: Connection): void {
    const { own, line } = connection;
    const key = own === PROXY && line[0] ? addressKey(this.bounds.clientOf(line[0].request)) : own;
    const share = this.shareOf(connection.key);
    share.removeNode(connection.link);
    if (share.length === 0 && key !== connection.key) this.shares.delete(connection.key);
    connection.key = key;
    this.shareOf(key).pushNode(connection.link);
  }

  private remove(connection: Connection): void {
    if (!this.connections.delete(connection.socket)) return;
    const share = this.shareOf(connection.key);
    share.removeNode(connection.link);
    if (share.length === 0) this.shares.delete(connection.key);
  }
}

/** Limits the connections of a server that does not listen yet. @returns gives the responses that have not ended */
export function boundConnections(http: Server, bounds: ConnectionBounds): () => ServerResponse[] {
  const connections = new Connections(bounds);
  const serve = http.listeners("connection") as ((socket: Socket) => void)[];
  http.removeAllListeners("connection");
  http.on("connection", (socket: Socket) => {
    if (!connections.admit(socket)) {
      bounds.onRefused();
      return refuse(socket);
    }
    for (const listener of serve) listener.call(http, socket);
  });
  http.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const exchange = { request, response };
    connections.begin(exchange);
    response.once("close", () => connections.end(exchange));
  });
  const mostUpgraded = Math.ceil(bounds.most * UPGRADED_SHARE);
  const ofAddress = new KeyedSemaphore(Math.ceil(bounds.mostOfAddress * UPGRADED_SHARE));
  let upgraded = 0;
  http.on("upgrade", (request: IncomingMessage) => {
    const { socket } = request;
    const leave = upgraded < mostUpgraded ? ofAddress.take(addressKey(bounds.clientOf(request))) : null;
    if (!leave) {
      bounds.onRefused();
      return refuse(socket);
    }
    upgraded += 1;
    socket.once("close", () => {
      upgraded -= 1;
      leave();
    });
    connections.begin({ request, response: null });
  });
  return () => connections.responses;
}

/** Responds without parsing a request, since there is no HTTP parser for this connection. */
function refuse(socket: Socket): void {
  socket.on("error", () => undefined);
  socket.end(REFUSAL, () => socket.destroy());
}
