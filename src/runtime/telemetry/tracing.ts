/**
 * Traces, as the board sees them: spans that are handed on by hand, so that nothing is global and boards of one process don't
 * meet. What makes them (`otlp.ts`, OpenTelemetry's SDK) is loaded only where a collector is configured.
 */
import type { Config } from "../../config.js";
import type { Logger } from "./log.js";

/** By the names of OpenTelemetry's semantic conventions; what is undefined is left out. */
export type Attributes = Record<string, string | number | boolean | undefined>;

export type SpanKind = "server" | "client" | "consumer" | "internal";

/** A piece of work, from the moment that it is made until its end. */
export interface Span {
  /** 32 hexadecimal digits */
  readonly traceId: string;
  /** Work that is part of this one. */
  child(name: string, kind: SpanKind, attributes?: Attributes): Span;
  describe(attributes: Attributes): void;
  rename(name: string): void;
  /** @param fault what kind of error it ended with (`error.type`), if it did */
  end(fault?: string): void;
}

/** Headers of the W3C's Trace Context. */
export interface TraceHeaders {
  traceparent?: string | undefined;
  tracestate?: string | undefined;
}

export interface Tracing extends AsyncDisposable {
  /** Root work, such as a request or job. @param headers those of the request, if any */
  begin(name: string, kind: SpanKind, attributes: Attributes, headers?: TraceHeaders): Span;
}

/** @returns null where no collector is configured; then nothing is loaded and nothing is done */
export async function openTracing(config: Config, log: Logger): Promise<Tracing | null> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const { OtlpTracing } = await import("./otlp.js");
  return new OtlpTracing(
    {
      endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
      headers: config.OTEL_EXPORTER_OTLP_HEADERS,
      service: config.OTEL_SERVICE_NAME,
      ratio: config.OTEL_TRACES_SAMPLER_ARG,
      delay: config.OTEL_BSP_SCHEDULE_DELAY,
    },
    log,
  );
}
