/**
 * The interface of traces. Spans are passed explicitly, so that nothing is global and several boards can run in one process.
 * The implementation (`otlp.ts`, OpenTelemetry's SDK) is loaded only if a collector is configured.
 */
import type { Config } from "../../config.js";
import type { Logger } from "./log.js";

/** Attributes by the names of OpenTelemetry's semantic conventions; undefined ones are omitted. */
export type Attributes = Record<string, string | number | boolean | undefined>;

export type SpanKind = "server" | "client" | "consumer" | "internal";

/** A span, which starts when it is created. */
export interface Span {
  /** 32 hexadecimal digits */
  readonly traceId: string;
  child(name: string, kind: SpanKind, attributes?: Attributes): Span;
  describe(attributes: Attributes): void;
  rename(name: string): void;
  /** @param fault kind of the error (`error.type`), if any */
  end(fault?: string): void;
}

/** Headers of W3C Trace Context. */
export type TraceHeaders = Partial<Record<"traceparent" | "tracestate", string | undefined>>;

export interface Tracing extends AsyncDisposable {
  /** Creates the span of a request or job. @param headers those of the request, if any */
  begin(name: string, kind: SpanKind, attributes: Attributes, headers?: TraceHeaders): Span;
}

/** @returns null if no collector is configured; then nothing is loaded */
export async function openTracing(config: Config, log: Logger): Promise<Tracing | null> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const { OtlpTracing } = await import("./otlp.js");
  return new OtlpTracing(config, log);
}
