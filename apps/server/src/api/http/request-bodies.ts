import { Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isTooDeep } from "../../kernel/json-depth.ts";
import { requestContext } from "./request-context.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** For routes that accept more than `STRANGER_BODY_BYTES`: decides whether this request may send more */
    mayBringMore?: (request: FastifyRequest, reply: FastifyReply) => boolean | Promise<boolean>;
  }
}

/** Body limit for unauthenticated callers; a login needs a few hundred bytes. */
export const STRANGER_BODY_BYTES = 16 * 1024;
/** Body limit for authenticated callers. */
export const SESSION_BODY_BYTES = 1024 * 1024;
/** Time to receive a body. Authenticated callers get more, for large bodies on slow lines. */
const BODY_MS = 10_000;
const MAX_BODY_MS = 35_000;

const refusal = (statusCode: number, message: string): Error => Object.assign(new Error(message), { statusCode });
const tooLarge = (): Error => refusal(413, "the body is too large");
const packed = (): Error => refusal(415, "the body is packed");
const tooDeep = (): Error => refusal(400, "the body nests too deep");

/** Returns route options that allow a larger body from callers with a session or key. */
export const forSignedIn = (bodyLimit: number) => ({ bodyLimit, config: { mayBringMore: isSignedIn } });

async function isSignedIn(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { scope, limited } = await requestContext(request, reply, false);
  return scope !== null || limited !== null;
}

/** @throws Error with status 400 */
export function refuseTooDeep(json: unknown): void {
  if (typeof json === "string" && isTooDeep(json)) throw tooDeep();
}

/**
 * Limits request bodies. Unauthenticated callers may send only small bodies, within a short time. Compressed bodies
 * are always refused, so that we count the bytes that we parse. We decide about larger bodies before reading them; a
 * route with a larger limit must say who may use it, or the server fails to start.
 */
export function registerRequestBodies(app: FastifyInstance, { bodyMs = BODY_MS } = {}): void {
  app.addHook("onRoute", ({ url, bodyLimit = 0, config }) => {
    if (bodyLimit > STRANGER_BODY_BYTES && !config?.mayBringMore) throw new Error(`${url}: who may bring so much?`);
  });

  app.addHook("onRequest", async ({ headers }, reply) => {
    if ((headers["content-encoding"] ?? "identity").toLowerCase() === "identity") return;
    reply.header("connection", "close");
    throw packed();
  });

  app.addHook("preParsing", async (request, reply, payload) => {
    const { headers } = request;
    const chunked = headers["transfer-encoding"] !== undefined;
    const bytes = Number(headers["content-length"] ?? 0);
    if (!chunked && bytes === 0) return payload;
    const { mayBringMore } = request.routeOptions.config;
    const isLarge = chunked || bytes > STRANGER_BODY_BYTES;
    const admitted = isLarge && mayBringMore !== undefined && (await mayBringMore(request, reply));
    if (!admitted && bytes > STRANGER_BODY_BYTES) {
      reply.header("connection", "close");
      throw tooLarge();
    }
    endSlowBody(request, reply, admitted ? MAX_BODY_MS : bodyMs);
    return chunked && !admitted ? payload.pipe(smallOnly()) : payload;
  });

  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (isTooDeep(String(body))) done(tooDeep());
    else parse(request, String(body), done);
  });
}

/** Answers a request whose body doesn't arrive in time, and closes the connection. */
function endSlowBody(request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const timer = setTimeout(() => {
    if (request.raw.complete || reply.sent) return;
    request.log.info("the body did not arrive in time");
    reply.header("connection", "close").send(refusal(408, "the body did not arrive in time"));
  }, ms);
  const clear = (): void => clearTimeout(timer);
  request.raw.once("end", clear);
  reply.raw.once("close", clear);
}

/** Limits a body whose length isn't announced. */
function smallOnly(): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > STRANGER_BODY_BYTES ? tooLarge() : null, chunk);
    },
  });
}
