/** What a span says of itself. Never a parameter, a name or a text of a person. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A piece of work that begins in one place and ends in another. */
export interface OpenSpan {
  /** runs what belongs to it */
  within<T>(work: () => T): T;
  end(facts: SpanFacts, failed: boolean): void;
}

export interface SpanOrigin {
  /** W3C traceparent of whoever asked: the span becomes part of their trace */
  parent?: string | undefined;
  /** W3C traceparent of what caused it, in a trace of its own */
  cause?: string | undefined;
}

export interface Tracing {
  span<T>(name: string, facts: SpanFacts, work: () => Promise<T>, origin?: SpanOrigin): Promise<T>;
  open(kind: "server" | "client", name: string, facts: SpanFacts, origin?: SpanOrigin): OpenSpan;
  /** binds what is called later to the work it was made in */
  bind<F extends (...args: never[]) => unknown>(later: F): F;
  /** W3C traceparent of what runs now */
  current(): string | undefined;
  /** sends what is left and ends */
  close(): Promise<void>;
}

let active: Tracing | null = null;

/**
 * Switches the process's traces on, where there is somewhere to send them. What makes them is loaded only then; off,
 * `traced` costs a comparison.
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

/** Runs `work` as a span, where traces are on. */
export function traced<T>(name: string, facts: SpanFacts, work: () => Promise<T>, origin?: SpanOrigin): Promise<T> {
  return active ? active.span(name, facts, work, origin) : work();
}
