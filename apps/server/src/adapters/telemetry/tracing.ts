/** Attributes of a span. They never contain a parameter, a name or text that a person entered. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Work that begins in one place of the code and ends in another. */
export interface OpenSpan {
  /** runs work that belongs to the span */
  within<T>(work: () => T): T;
  end(facts: SpanFacts, failed: boolean): void;
}

export interface SpanOrigin {
  /** W3C traceparent of the caller: the span becomes part of the caller's trace */
  parent?: string | undefined;
  /** W3C traceparent of the cause; the span starts its own trace and links to it */
  cause?: string | undefined;
}

export interface Tracing {
  span<T>(name: string, facts: SpanFacts, work: () => Promise<T>, origin?: SpanOrigin): Promise<T>;
  open(kind: "server" | "client", name: string, facts: SpanFacts, origin?: SpanOrigin): OpenSpan;
  /** binds a function that is called later to the current span */
  bind<F extends (...args: never[]) => unknown>(later: F): F;
  /** W3C traceparent of the current span */
  current(): string | undefined;
  /** sends the remaining spans and closes the exporter */
  close(): Promise<void>;
}

let active: Tracing | null = null;

/**
 * Enables tracing for the process if an endpoint is configured. The SDK is loaded only then; when tracing is off,
 * `traced` costs one comparison.
 */
export async function startTracing(
  settings: { endpoint: string; serviceName: string } | undefined,
  version: string,
): Promise<Tracing | null> {
  if (!settings) return null;
  const { otlpTracing } = await import("./otlp-tracing.ts");
  const tracing = otlpTracing({ ...settings, version });
  active = tracing;
  return {
    ...tracing,
    async close() {
      active = null;
      await tracing.close();
    },
  };
}

export const activeTracing = (): Tracing | null => active;

/** Runs `work` as a span if tracing is on. */
export function traced<T>(name: string, facts: SpanFacts, work: () => Promise<T>, origin?: SpanOrigin): Promise<T> {
  return active ? active.span(name, facts, work, origin) : work();
}
