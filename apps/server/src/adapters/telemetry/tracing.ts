import type { SpanAttributes, SpanOrigin, Tracing } from "./otlp-tracing.ts";

let active: Tracing | null = null;

/**
 * Enables tracing for the process if an endpoint is configured. The SDK is loaded only then; when tracing is off,
 * `runInSpan` costs one comparison.
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
export function runInSpan<T>(
  name: string,
  attributes: SpanAttributes,
  work: () => Promise<T>,
  origin?: SpanOrigin,
): Promise<T> {
  return active ? active.span(name, attributes, work, origin) : work();
}
