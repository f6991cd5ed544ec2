import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A received span, with its attributes by name. */
export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  links: { traceId: string; spanId: string }[];
  facts: Record<string, unknown>;
  failed: boolean;
}

export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Raw bodies, to check what they must not contain */
  bodies: string[];
  close(): Promise<void>;
}

const FAILED = 2;

interface Otlp {
  resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
}
interface OtlpSpan extends Omit<ReceivedSpan, "facts" | "failed" | "links" | "parentSpanId"> {
  parentSpanId?: string;
  links?: ReceivedSpan["links"];
  status?: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** Starts a receiver of traces by OTLP/HTTP in JSON. Source: opentelemetry.io, "OTLP Specification". */
export async function receiveTraces(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    if (request.url !== "/v1/traces") {
      response.writeHead(404).end();
      return;
    }
    const { resourceSpans } = JSON.parse(body) as Otlp;
    for (const span of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))) {
      spans.push({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? "",
        links: span.links ?? [],
        facts: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
        failed: span.status?.code === FAILED,
      });
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
