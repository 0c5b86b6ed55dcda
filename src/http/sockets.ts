/**
 * The WebSockets of graphql-ws. What a peer may send, in messages and bytes, and what may wait for it to read
 * is limited; over a limit the socket is closed, and destroyed if the peer does not answer the close in time.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import { CloseCode, handleProtocols, MessageType, type Server as Protocol } from "graphql-ws";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { Budget } from "../lib/budget.js";
import type { Logger } from "../runtime/telemetry/log.js";
import { isGraphQL } from "./router.js";

/** The limits of one socket, the same for everybody. */
export const SOCKET_LIMITS = {
  /** of one message */
  messageBytes: 100_000,
  /** parts in which one message may arrive: frames, and reads from the network */
  messagePieces: 1_000,
  /** messages at once, including pings and pongs */
  messages: 200,
  messagesPerSecond: 20,
  /** bytes of messages at once */
  bytes: 1_000_000,
  bytesPerSecond: 100_000,
  /** bytes that may wait for the peer to read before another message */
  unsentBytes: 500_000,
  /** between two pings, each of which has to be answered before the next */
  pingMilliseconds: 12_000,
  /** until a peer must have answered a close */
  closeMilliseconds: 5_000,
};
export type SocketLimits = typeof SOCKET_LIMITS;

/** Close code of RFC 6455 for a client that exceeds a limit. */
const POLICY_VIOLATION = 1008;
const GOING_AWAY = 1001;
/** Bytes of a close's reason, of RFC 6455; the protocol puts ids into it that clients choose. */
const MOST_REASON = 123;
/** Milliseconds between two reads while waiting for the answer to a close. */
const UNWANTED_PAUSE_MS = 20;

export interface Opened {
  socket: WebSocket;
  request: IncomingMessage;
}

export interface Entered extends Opened {
  /** processes a message when its turn has come */
  inTurn(handle: () => void): void;
}

/**
 * Serves the protocol at the server's paths for GraphQL.
 * @param admits whether there is room for a new socket; otherwise it is closed as forbidden
 */
export function serveSockets<Extra extends Entered>(
  http: Server,
  protocol: Protocol<Extra>,
  admits: (opened: Opened) => Extra | null,
  log: Logger,
  limits: SocketLimits = SOCKET_LIMITS,
): AsyncDisposable {
  const options = {
    noServer: true,
    handleProtocols,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    maxFragments: limits.messagePieces,
    maxBufferedChunks: limits.messagePieces,
    maxPendingAutoPongs: 2 * limits.messages, // so that the limit is that of the meter, which has a reason
    closeTimeout: limits.closeMilliseconds,
  };
  const sockets = new WebSocketServer(options);
  sockets.shouldHandle = ({ url = "" }) => isGraphQL(url.split("?", 1)[0] ?? "");
  http.on("upgrade", (request, socket, head) => {
    if (socket.writableEnded) return; // refused before, by a response that the library would discard with the socket
    sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit("connection", opened, request));
  });
  sockets.on("connection", (socket, request) => {
    socket.on("error", () => undefined); // the library closes sockets with invalid or too long data
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

/** Closes a socket, after which its messages are ignored. @param reason left out if it is too long */
export function shut(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.removeAllListeners("message");
  socket.close(code, Buffer.byteLength(reason) > MOST_REASON ? "" : reason);
  readSlowly(socket);
}

/** What a peer sends before it answers the close is read in parts, with a pause after each, since it is discarded. */
function readSlowly(socket: WebSocket): void {
  const rest = () => {
    socket.pause();
    setTimeout(() => socket.resume(), UNWANTED_PAUSE_MS);
  };
  for (const kind of ["message", "ping", "pong"] as const) socket.on(kind, rest);
}

/** Closes a socket whose peer reads more slowly than messages are sent. */
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

/** Destroys a socket whose peer does not answer. Only a peer that reads a ping knows its payload. */
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

const OF_SERVER: ReadonlySet<unknown> = new Set([MessageType.ConnectionAck, MessageType.Next, MessageType.Error]);

/** Whether a valid message is one that only servers send: the library takes it for a fault of ours. */
const isOfServer = (data: RawData): boolean =>
  OF_SERVER.has((JSON.parse((data as Buffer).toString()) as { type: unknown }).type);

function speak<Extra extends Entered>(
  socket: WebSocket,
  extra: Extra,
  protocol: Protocol<Extra>,
  log: Logger,
  { unsentBytes }: SocketLimits,
): void {
  const send = (text: string) => sendTo(socket, text, unsentBytes);
  const handle = async (data: RawData, listener: (text: string) => Promise<void>) => {
    if (socket.readyState !== socket.OPEN) return; // it was closed before the message's turn came
    try {
      await listener((data as Buffer).toString());
    } catch (error) {
      if (isOfServer(data)) return shut(socket, CloseCode.BadRequest, "Invalid message received");
      log.warn({ err: error }, "a WebSocket message could not be processed");
      shut(socket, CloseCode.InternalServerError, "Internal server error");
    }
  };
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send,
      close: (code = CloseCode.InternalServerError, reason = "") => shut(socket, code, reason),
      onMessage: (listener) => void socket.on("message", (data) => extra.inTurn(() => void handle(data, listener))),
      onPing: () => send(PONG), // without its payload, which nobody needs
    },
    extra,
  );
  socket.once("close", (code, reason) => void closed(code, reason.toString()));
}

/** Settles when the text was passed to the system, or the peer has disconnected. */
async function sendTo(socket: WebSocket, text: string, unsentBytes: number): Promise<void> {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > unsentBytes) return shutBehind(socket);
  await new Promise<void>((resolve) => socket.send(text, () => resolve()));
}
