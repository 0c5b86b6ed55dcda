/** Messages of the graphql-ws protocol over a WebSocket, one after the other, including invalid ones. */
import { vi } from "vitest";
import { type ClientOptions, type RawData, WebSocket } from "ws";
import type { TestBoard } from "./board.js";
import type { Login } from "./client.js";

export interface Message {
  type: string;
  id?: string;
  payload?: { message: string; extensions: { code: string; status: number; reason: string } }[];
}

const PATIENCE = { timeout: 20_000, interval: 10 };

export class Talk implements Disposable {
  private readonly heard: Message[] = [];
  private serial = 0;
  /** the code that the connection was closed with, and why */
  closed: number | null = null;
  reason = "";

  constructor(readonly socket: WebSocket) {
    socket.on("message", (data: RawData) => this.heard.push(JSON.parse((data as Buffer).toString()) as Message));
    socket.on("error", () => undefined);
    socket.on("close", (code, reason) => {
      this.closed = code;
      this.reason = reason.toString();
    });
  }

  /** Opens a connection without sending anything. */
  static async open({ url }: Pick<TestBoard, "url">, options: ClientOptions = {}): Promise<Talk> {
    const talk = new Talk(new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws", options));
    await vi.waitUntil(() => talk.socket.readyState !== WebSocket.CONNECTING, PATIENCE);
    return talk;
  }

  /** Opens a connection in the name of a user. */
  static async signedIn(test: TestBoard, { name, apiKey }: Login): Promise<Talk> {
    const talk = await Talk.open(test);
    talk.say({ type: "connection_init", payload: { login: name, api_key: apiKey } });
    await talk.answer();
    return talk;
  }

  say(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The next message, or the code that the connection was closed with. */
  async answer(): Promise<Message | number> {
    await vi.waitUntil(() => this.heard.length > 0 || this.closed !== null, PATIENCE);
    return this.heard.shift() ?? (this.closed as number);
  }

  /** The first message about an operation, or the close code. */
  ask(payload: { query: string; operationName?: string; variables?: object }): Promise<Message | number> {
    const id = String((this.serial += 1));
    this.say({ id, type: "subscribe", payload });
    return this.answer();
  }

  /** The code that the server closes the connection with, sooner or later. */
  async ended(): Promise<number> {
    await vi.waitUntil(() => this.closed !== null, PATIENCE);
    return this.closed as number;
  }

  [Symbol.dispose](): void {
    this.socket.terminate();
  }
}
