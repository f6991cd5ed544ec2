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
