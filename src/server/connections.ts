/**
 * The connections of a server, bounded. Where there is no room for another, the one that has asked nothing for the longest
 * time makes room: clients that open connections, or begin requests, and leave it at that can't keep others out.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { FAILURES } from "../errors.js";

const BODY = JSON.stringify({ success: false, reason: FAILURES.overloaded.reason });
const REFUSAL = [
  "HTTP/1.1 503 Service Unavailable",
  "Retry-After: 1",
  "Connection: close",
  "Content-Type: application/json; charset=utf-8",
  `Content-Length: ${BODY.length}`,
  "",
  BODY,
].join("\r\n");

/** Bounds the connections of a server that does not listen yet. @param onRefused told of each for which there is no room */
export function boundConnections(http: Server, most: number, onRefused: () => void): void {
  const open = new Set<Socket>();
  /** those that have no request, longest first */
  const idle = new Set<Socket>();
  const rest = (socket: Socket) => {
    idle.delete(socket);
    if (open.has(socket)) idle.add(socket);
  };
  const serve = http.listeners("connection") as ((socket: Socket) => void)[];
  http.removeAllListeners("connection");
  http.on("connection", (socket: Socket) => {
    if (open.size >= most && !makeRoom(open, idle)) {
      onRefused();
      return refuse(socket);
    }
    open.add(socket);
    rest(socket);
    socket.once("close", () => {
      open.delete(socket);
      idle.delete(socket);
    });
    for (const listener of serve) listener.call(http, socket);
  });
  http.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    response.once("close", () => rest(socket));
  });
  http.on("upgrade", ({ socket }: IncomingMessage) => idle.delete(socket));
}

function makeRoom(open: Set<Socket>, idle: Set<Socket>): boolean {
  const [longest] = idle;
  if (!longest) return false;
  idle.delete(longest);
  open.delete(longest); // before it has closed, for the next one to be counted right
  longest.destroy();
  return true;
}

/** Answers without being asked: there is nobody here who would read. */
function refuse(socket: Socket): void {
  socket.on("error", () => undefined);
  socket.end(REFUSAL, () => socket.destroy());
}
