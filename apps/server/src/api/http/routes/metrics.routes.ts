import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { sendNotFound } from "../error-replies.ts";
import { anyone, registerRoute } from "../route-contract.ts";

const METRICS = {
  method: "GET",
  url: "/metrics",
  answers: { 200: { contentTypes: ["text/plain", "application/openmetrics-text"] } },
} as const;

export interface MetricsDeps {
  /** Bearer token that readers must send; undefined: only this machine may read */
  token: string | undefined;
  /** Whether a proxy forwards requests, so that all clients may appear to be this machine */
  trustProxy: boolean;
  read(): Promise<{ contentType: string; text: string }>;
}

const BEARER = /^Bearer +(\S+) *$/i;
/** Headers that proxies add. If one is present, the socket's peer isn't the actual client. */
const FORWARDED = ["x-forwarded-for", "x-real-ip", "forwarded", "via"];

/** GET /metrics for Prometheus; 404 for callers that may not read. */
export function registerMetricsRoute(app: FastifyInstance, deps: MetricsDeps): void {
  registerRoute(app, METRICS, {
    authenticate: anyone,
    async handle({ request, reply }) {
      if (!mayRead(request, deps)) return sendNotFound(request, reply);
      const { contentType, text } = await deps.read();
      return reply.header("cache-control", "no-store").type(contentType).send(text);
    },
  });
}

function mayRead(request: FastifyRequest, { token, trustProxy }: MetricsDeps): boolean {
  if (token !== undefined) {
    const bearerToken = BEARER.exec(request.headers.authorization ?? "")?.[1];
    return bearerToken !== undefined && timingSafeEqual(digestOf(bearerToken), digestOf(token));
  }
  if (trustProxy || FORWARDED.some((name) => request.headers[name] !== undefined)) return false;
  return isThisMachine(request.raw.socket.remoteAddress);
}

/** Returns a hash, because the comparison needs equal lengths. */
const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();

function isThisMachine(address = ""): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}
