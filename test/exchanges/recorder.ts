/** Sends requests over one connection, one after the other, and records them with their responses. */
import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { xml2js, type Element } from "xml-js";
import { type Answer, Client, type Login } from "../support/client.js";
import { hasChangingTag, steadyBody, steadyHeader, steadyName } from "./steady.js";

export interface Exchange {
  /** what was asked: number, viewer, method, path, and the beginning of the body */
  name: string;
  status: number;
  /** as they were sent, by name */
  headers: string[];
  /** decoded; in base64 where it is no text */
  body: string;
  /** the name of the request in log and metrics */
  route: string | null;
}

/** The host that requests name, whatever port the board listens at. */
export const HOST = "board.example";

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

const MAX_NAME = 300;

interface Received {
  answer: IncomingMessage;
  bytes: Buffer;
}

export class Recorder implements Disposable {
  readonly exchanges: Exchange[] = [];
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** @param routeOf what the log says of the request with this id, as soon as it does */
  constructor(private readonly routeOf: (requestId: string) => Promise<string | null>) {}

  /** Sends a request, and keeps it with its answer. */
  async send(
    url: string,
    viewer: string,
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Buffer | undefined,
  ): Promise<Received> {
    const received = await this.receive(url, method, path, headers, body);
    const { answer, bytes } = received;
    const decode = DECODERS[answer.headers["content-encoding"] ?? ""];
    const plain = bytes.length > 0 && decode ? decode(bytes) : bytes;
    const text = plain.toString();
    const whole = Buffer.from(text).equals(plain) ? text : plain.toString("base64");
    const steady = steadyBody(path, whole);
    const sent = [method, path, ...Object.entries(headers).map((pair) => pair.join(": ")), body?.toString() ?? ""];
    const serial = String(this.exchanges.length + 1).padStart(4, "0");
    this.exchanges.push({
      name: steadyName(`${serial} ${viewer}: ${sent.join(" | ")}`).slice(0, MAX_NAME),
      status: answer.statusCode ?? 0,
      headers: headersOf(answer, steady !== whole || hasChangingTag(path)),
      body: steady,
      route: await this.routeOf(String(answer.headers["x-request-id"] ?? "")),
    });
    return { answer, bytes: plain };
  }

  private receive(
    url: string,
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Buffer | undefined,
  ): Promise<Received> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const sent = httpRequest({ hostname, port, method, path, agent: this.agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.once("end", () => resolve({ answer, bytes: Buffer.concat(chunks) }));
      });
      sent.once("error", (error) => reject(new Error(`${method} ${path}`, { cause: error }))).end(body);
    });
  }

  [Symbol.dispose](): void {
    this.agent.destroy();
  }
}

function headersOf({ rawHeaders }: IncomingMessage, isChanging: boolean): string[] {
  const headers = rawHeaders.flatMap((name, index) => {
    if (index % 2 === 1) return [];
    return `${name}: ${steadyHeader(name, rawHeaders[index + 1] ?? "", isChanging)}`;
  });
  return headers.sort();
}

/** The client of tests, its requests recorded. */
export class RecordingClient extends Client {
  constructor(
    private readonly recorder: Recorder,
    private readonly viewer: string,
    url: string,
    login?: Login,
    private readonly sending: Record<string, string> = {},
  ) {
    super(url, login, sending);
  }

  override as(login: Login): RecordingClient {
    return new RecordingClient(this.recorder, login.name, this.url, login, this.sending);
  }

  override with(headers: Record<string, string>): RecordingClient {
    return new RecordingClient(this.recorder, this.viewer, this.url, this.login, { ...this.sending, ...headers });
  }

  /** Another name of the viewer in the recording. */
  named(viewer: string): RecordingClient {
    return new RecordingClient(this.recorder, viewer, this.url, this.login, this.sending);
  }

  override async send(path: string, init: RequestInit = {}): Promise<Answer> {
    const { type, body } = await bodyOf(init.body);
    const headers: Record<string, string> = { host: HOST, ...this.sending, ...(type ? { "content-type": type } : {}) };
    if (body) headers["content-length"] = String(body.length);
    Object.assign(headers, init.headers);
    if (this.login && headers.authorization === undefined) {
      const { name, apiKey } = this.login;
      headers.authorization = `Basic ${Buffer.from(`${name}:${apiKey}`).toString("base64")}`;
    }
    const sent = { ...headers };
    const { answer, bytes } = await this.recorder.send(this.url, this.viewer, init.method ?? "GET", path, sent, body);
    return answerOf(answer, bytes.toString());
  }
}

function answerOf(answer: IncomingMessage, text: string): Answer {
  const headers = new Headers();
  for (let index = 0; index < answer.rawHeaders.length; index += 2)
    headers.append(answer.rawHeaders[index] ?? "", answer.rawHeaders[index + 1] ?? "");
  const type = headers.get("content-type") ?? "";
  return {
    status: answer.statusCode ?? 0,
    headers,
    text,
    json: type.includes("json") && text ? (JSON.parse(text) as unknown) : undefined,
    xml: type.includes("xml") && text ? (xml2js(text) as Element).elements?.[0] : undefined,
  };
}

const BOUNDARY = "----recorded";

/** The bytes of a body, the same each time. */
async function bodyOf(body: RequestInit["body"]): Promise<{ type?: string; body?: Buffer }> {
  if (body === undefined || body === null) return {};
  if (typeof body === "string") return { body: Buffer.from(body) };
  if (body instanceof URLSearchParams)
    return { type: "application/x-www-form-urlencoded;charset=UTF-8", body: Buffer.from(body.toString()) };
  if (body instanceof FormData) return { type: `multipart/form-data; boundary=${BOUNDARY}`, body: await formOf(body) };
  return { body: Buffer.from(body as Uint8Array) };
}

async function formOf(form: FormData): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const [name, value] of form) {
    const file = typeof value === "string" ? "" : `; filename="blob"\r\nContent-Type: ${value.type}`;
    const content = typeof value === "string" ? Buffer.from(value) : Buffer.from(await value.arrayBuffer());
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    parts.push(Buffer.from(head), content, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
