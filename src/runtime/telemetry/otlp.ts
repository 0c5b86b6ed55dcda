/** Spans of OpenTelemetry's SDK, sent to a collector in batches (OTLP over HTTP, as JSON). Only `openTracing` loads this file. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span as ApiSpan,
  SpanKind as ApiKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-node";
import type { Config } from "../../config.js";
import { decodeUri } from "../../lib/text.js";
import type { Logger } from "./log.js";
import type { Attributes, Span, SpanKind, TraceHeaders, Tracing } from "./tracing.js";

/** Timeout of a batch in milliseconds, including retries. */
const EXPORT_TIMEOUT = 5_000;
/** Milliseconds to wait for the last batch when the process stops. */
const FLUSH_TIMEOUT = 3_000;
/** Minimum milliseconds between two warnings. */
const WARN_EVERY = 60_000;

const KINDS: Record<SpanKind, ApiKind> = {
  server: ApiKind.SERVER,
  client: ApiKind.CLIENT,
  consumer: ApiKind.CONSUMER,
  internal: ApiKind.INTERNAL,
};

/** Finds the parent span in the W3C Trace Context headers of a request. */
const PARENTS = new W3CTraceContextPropagator();

export class OtlpTracing implements Tracing {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor(config: Config, log: Logger) {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = "" } = config;
    const url = `${endpoint.replace(/\/$/, "")}/v1/traces`;
    const headers = headersOf(config.OTEL_EXPORTER_OTLP_HEADERS);
    const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_TIMEOUT });
    const batches = { scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY, exportTimeoutMillis: EXPORT_TIMEOUT };
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes({
        "service.name": config.OTEL_SERVICE_NAME,
        "service.instance.id": randomUUID(),
        "process.pid": process.pid,
      }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
      // the queue is bounded: spans that the collector does not accept in time are dropped
      spanProcessors: [new BatchSpanProcessor(telling(exporter, log), batches)],
    });
    this.tracer = this.provider.getTracer("graphbooru");
  }

  begin(name: string, kind: SpanKind, attributes: Attributes, headers: TraceHeaders = {}): Span {
    const context = PARENTS.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    return new OtlpSpan(this.tracer, context, name, kind, attributes);
  }

  /** Sends the remaining spans, without waiting for an unreachable collector. */
  async [Symbol.asyncDispose](): Promise<void> {
    const sent = this.provider.shutdown().catch(() => undefined);
    await Promise.race([sent, sleep(FLUSH_TIMEOUT, undefined, { ref: false })]);
  }
}

/** A value with a literal percent sign is meant as it is. */
const headersOf = (text = ""): Record<string, string> =>
  Object.fromEntries(
    text
      .split(",")
      .filter(Boolean)
      .map((pair) => {
        const [name = "", ...rest] = pair.split("=");
        const value = rest.join("=").trim();
        return [name.trim(), decodeUri(value) ?? value];
      }),
  );

class OtlpSpan implements Span {
  private readonly span: ApiSpan;
  private readonly context: Context;
  readonly traceId: string;

  constructor(
    private readonly tracer: Tracer,
    parent: Context,
    name: string,
    kind: SpanKind,
    attributes: Attributes = {},
  ) {
    this.span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
    this.context = trace.setSpan(parent, this.span);
    this.traceId = this.span.spanContext().traceId;
  }

  child(name: string, kind: SpanKind, attributes?: Attributes): Span {
    return new OtlpSpan(this.tracer, this.context, name, kind, attributes);
  }

  describe(attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined) this.span.setAttribute(name, value);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  end(fault?: string): void {
    if (fault !== undefined) this.span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute("error.type", fault);
    this.span.end();
  }
}

/** The exporter, which logs a warning from time to time if the collector does not accept spans. */
function telling(exporter: OTLPTraceExporter, log: Logger): SpanExporter {
  let warnedAt = -WARN_EVERY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = performance.now();
        if (result.error && now - warnedAt >= WARN_EVERY) {
          warnedAt = now;
          log.warn({ reason: result.error.message, spans: spans.length }, "traces could not be sent");
        }
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- two versions of one enumeration
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
