import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

/** Attributes of a span. They never contain a parameter, a name or text that a person entered. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Work that begins in one place of the code and ends in another. */
export interface OpenSpan {
  /** runs work that belongs to the span */
  within<T>(work: () => T): T;
  end(attributes: SpanAttributes, failed: boolean): void;
}

export interface SpanOrigin {
  /** W3C traceparent of the caller: the span becomes part of the caller's trace */
  parent?: string | undefined;
  /** W3C traceparent of the cause; the span starts its own trace and links to it */
  cause?: string | undefined;
}

export interface Tracing {
  span<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>, origin?: SpanOrigin): Promise<T>;
  open(kind: "server" | "client", name: string, attributes: SpanAttributes, origin?: SpanOrigin): OpenSpan;
  /** binds a function that is called later to the current span */
  bind<F extends (...args: never[]) => unknown>(later: F): F;
  /** W3C traceparent of the current span */
  current(): string | undefined;
  /** sends the remaining spans and closes the exporter */
  close(): Promise<void>;
}

export interface TracingSettings {
  /** base URL of an OTLP/HTTP receiver, without /v1/traces */
  endpoint: string;
  serviceName: string;
  version: string;
}

const CLOSE_MS = 3_000;
const EXPORT_MS = 5_000;
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Sends OpenTelemetry traces to an OTLP/HTTP receiver. The SDK reads its standard variables itself, such as
 * OTEL_TRACES_SAMPLER and OTEL_EXPORTER_OTLP_HEADERS. If the receiver is unreachable, spans are lost, but no work is
 * delayed.
 */
export function otlpTracing({ endpoint, serviceName, version }: TracingSettings): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces`, timeoutMillis: EXPORT_MS });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName, "service.version": version }),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_MS })],
  });
  provider.register();
  const tracer = provider.getTracer("innkey", version);

  const begin = (
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes,
    origin: SpanOrigin | undefined,
  ): [Span, Context] => {
    const cause = origin?.cause ? trace.getSpanContext(contextOf(origin.cause)) : undefined;
    const outer = origin ? contextOf(origin.parent) : context.active();
    const options = { kind, attributes: withoutNulls(attributes), links: cause ? [{ context: cause }] : [] };
    const span = tracer.startSpan(name, options, outer);
    return [span, trace.setSpan(outer, span)];
  };

  return {
    async span(name, attributes, work, origin) {
      const [span, inside] = begin(name, SpanKind.INTERNAL, attributes, origin);
      try {
        return await context.with(inside, work);
      } catch (error) {
        recordError(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    open(kind, name, attributes, origin): OpenSpan {
      const [span, inside] = begin(name, kind === "server" ? SpanKind.SERVER : SpanKind.CLIENT, attributes, origin);
      return {
        within: (work) => context.with(inside, work),
        end(last, failed) {
          span.setAttributes(withoutNulls(last));
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    bind: (later) => context.bind(context.active(), later),
    current() {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent;
    },
    async close() {
      const timeout = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
      for (const part of [trace, context, propagation]) part.disable();
    },
  };
}

/** Returns the context of a trace that another system began; an unreadable one starts a new trace. */
function contextOf(traceparent: string | undefined): Context {
  if (traceparent === undefined || !TRACEPARENT.test(traceparent)) return ROOT_CONTEXT;
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}

/** Records only the kind of the error, because messages may quote user input. */
function recordError(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  span.setAttribute("error.type", typeof code === "string" ? code : String(name ?? "unknown"));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function withoutNulls(attributes: SpanAttributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number | boolean] => entry[1] != null),
  );
}
