/**
 * The WebSockets that graphql-ws talks over. What a peer may send, in messages and bytes, and what may wait for it to read
 * is bounded; past a bound the socket is closed, and destroyed where the peer does not take the close in time.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import { CloseCode, handleProtocols, MessageType, type Server as Protocol } from "graphql-ws";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { Budget } from "../lib/budget.js";
import type { Logger } from "../runtime/telemetry/log.js";

/** What one socket may take, the same for everybody. */
export const SOCKET_LIMITS = {
  /** of one message */
  messageBytes: 100_000,
  /** pieces in which one message may come: frames, and reads from the network */
  messagePieces: 1_000,
  /** messages at once, pings and pongs too */
  messages: 200,
  messagesPerSecond: 20,
  /** bytes of messages at once */
  bytes: 1_000_000,
  bytesPerSecond: 100_000,
  /** bytes that wait for the peer to read, before another message */
  unsentBytes: 500_000,
  /** between two pings, each of which is to be answered before the next */
  pingMilliseconds: 12_000,
  /** until a peer must have taken a close */
  closeMilliseconds: 5_000,
};
export type SocketLimits = typeof SOCKET_LIMITS;

/** Close code of RFC 6455 for a client that exceeds a limit. */
const POLICY_VIOLATION = 1008;
const GOING_AWAY = 1001;
/** Milliseconds between two pieces of what is read for the close alone. */
const UNWANTED_PAUSE_MS = 20;

/** What comes with a socket. */
export interface Opened {
  socket: WebSocket;
  request: IncomingMessage;
}

/** An accepted socket. */
export interface Entered extends Opened {
  /** has a message heard when its turn has come */
  inTurn(hear: () => void): void;
}

/**
 * Serves the protocol on the server's /graphql.
 * @param admits whether there is room for a socket that has opened; one for which there is none is closed as forbidden
 */
export function serveSockets<Extra extends Entered>(
  http: Server,
  protocol: Protocol<Extra>,
  admits: (opened: Opened) => Extra | null,
  log: Logger,
  limits: SocketLimits = SOCKET_LIMITS,
): AsyncDisposable {
  const options = {
    server: http,
    path: "/graphql",
    handleProtocols,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    maxFragments: limits.messagePieces,
    maxBufferedChunks: limits.messagePieces,
    maxPendingAutoPongs: 2 * limits.messages, // so that the bound is the meter's, which says why
    closeTimeout: limits.closeMilliseconds,
  };
  const sockets = new WebSocketServer(options);
  sockets.on("connection", (socket, request) => {
    socket.on("error", () => undefined); // what is no WebSocket's, or too long, is closed by the library
    meter(socket, limits);
    keepAlive(socket, limits.pingMilliseconds);
    const extra = admits({ socket, request });
    if (extra) speak(socket, extra, protocol, log, limits);
    else shut(socket, CloseCode.Forbidden, "Forbidden");
  });
  return {
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets.clients) shut(socket, GOING_AWAY, "Going away");
      return new Promise<void>((resolve) => sockets.close(() => resolve()));
    },
  };
}

/** Closes a socket, after which its messages are ignored. */
export function shut(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.removeAllListeners("message");
  socket.close(code, reason);
  readSlowly(socket);
}

/** What a peer sends before it takes the close is read by pieces, with a pause after each, since nobody wants it. */
function readSlowly(socket: WebSocket): void {
  const rest = () => {
    socket.pause();
    setTimeout(() => socket.resume(), UNWANTED_PAUSE_MS);
  };
  for (const kind of ["message", "ping", "pong"] as const) socket.on(kind, rest);
}

/** Closes a socket that is written to faster than it reads. */
export const shutBehind = (socket: WebSocket): void => shut(socket, POLICY_VIOLATION, "too much is left unread");

/** Counts what the peer sends. */
function meter(socket: WebSocket, limits: SocketLimits): void {
  const messages = new Budget(limits.messages, limits.messagesPerSecond);
  const bytes = new Budget(limits.bytes, limits.bytesPerSecond);
  const count = (data: RawData) => {
    if (socket.readyState !== socket.OPEN) return;
    if (!messages.spend(1)) shut(socket, POLICY_VIOLATION, "too many messages");
    else if (!bytes.spend((data as Buffer).length)) shut(socket, POLICY_VIOLATION, "too many bytes");
  };
  for (const kind of ["message", "ping", "pong"] as const) socket.on(kind, count);
}

/** Destroys a socket whose peer does not answer. Only who reads a ping knows what it has to be answered with. */
function keepAlive(socket: WebSocket, milliseconds: number): void {
  let asked: string | null = null;
  const timer = setInterval(() => {
    if (asked !== null) return socket.terminate();
    if (socket.readyState !== socket.OPEN) return;
    asked = randomBytes(8).toString("hex");
    socket.ping(asked);
  }, milliseconds);
  socket.on("pong", (data) => {
    if (data.toString() === asked) asked = null;
  });
  socket.once("close", () => clearInterval(timer));
}

const PONG = JSON.stringify({ type: MessageType.Pong });

function speak<Extra extends Entered>(
  socket: WebSocket,
  extra: Extra,
  protocol: Protocol<Extra>,
  log: Logger,
  { unsentBytes }: SocketLimits,
): void {
  const send = (text: string) => sendTo(socket, text, unsentBytes);
  const hear = async (data: RawData, listener: (text: string) => Promise<void>) => {
    if (socket.readyState !== socket.OPEN) return; // it was closed before the message's turn came
    try {
      await listener((data as Buffer).toString());
    } catch (error) {
      log.warn({ err: error }, "a message of a WebSocket failed");
      shut(socket, CloseCode.InternalServerError, "Internal server error");
    }
  };
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send,
      close: (code = CloseCode.InternalServerError, reason = "") => shut(socket, code, reason),
      onMessage: (listener) => void socket.on("message", (data) => extra.inTurn(() => void hear(data, listener))),
      onPing: () => send(PONG), // without its payload, which nobody needs back
    },
    extra,
  );
  socket.once("close", (code, reason) => void closed(code, reason.toString()));
}

/** Settles when the text is with the system, or when there is nobody any more who would read it. */
async function sendTo(socket: WebSocket, text: string, unsentBytes: number): Promise<void> {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > unsentBytes) return shutBehind(socket);
  await new Promise<void>((resolve) => socket.send(text, () => resolve()));
}
