/** An OpenTelemetry collector for one test: receives OTLP over HTTP as JSON. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A received span, with its attributes by name. */
export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  /** as OTLP numbers them: 1 internal, 2 server, 3 client, 5 consumer */
  kind: number;
  /** 2 for an error */
  status: number;
  attributes: Record<string, string | number | boolean>;
  /** of the process that sent it */
  resource: Record<string, string | number | boolean>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}

interface Batch {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        kind: number;
        status: { code?: number };
        attributes: Attribute[];
      }[];
    }[];
  }[];
}

const valueOf = ({ stringValue, intValue, doubleValue, boolValue }: Attribute["value"]) =>
  stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue ?? "") : Number(intValue));

const byName = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

export class Collector implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  /** of each batch */
  readonly requests: { path: string; headers: IncomingMessage["headers"] }[] = [];
  /** status of the responses to batches */
  status = 200;

  private constructor(private readonly server: Server) {
    server.on("request", (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.once("end", () => {
        this.requests.push({ path: request.url ?? "", headers: request.headers });
        if (this.status === 200) this.take(JSON.parse(Buffer.concat(chunks).toString()) as Batch);
        response.writeHead(this.status, { "content-type": "application/json" }).end("{}");
      });
    });
  }

  static async start(): Promise<Collector> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Collector(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private take({ resourceSpans }: Batch): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const { spans } of scopeSpans) {
        for (const { attributes, status, parentSpanId = "", ...span } of spans) {
          const parts = { attributes: byName(attributes), resource: byName(resource.attributes) };
          this.spans.push({ ...span, ...parts, parentSpanId, status: status.code ?? 0 });
        }
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
