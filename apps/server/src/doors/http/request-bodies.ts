import { Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isTooDeep } from "../../core/json-depth.ts";
import { requestContext } from "./request-context.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** of a route that takes more than `STRANGER_BODY_BYTES`: whether this request may bring so much */
    mayBringMore?: (request: FastifyRequest, reply: FastifyReply) => boolean | Promise<boolean>;
  }
}

/** What anybody may send: a login needs a few hundred bytes. */
export const STRANGER_BODY_BYTES = 16 * 1024;
/** What somebody may send who is known. */
export const SESSION_BODY_BYTES = 1024 * 1024;
/** A body may take this long, and longer for each megabyte that somebody known sends on a slow line. */
const BODY_MS = 10_000;
const KNOWN_BODY_MS = 35_000;

const refusal = (statusCode: number, message: string): Error => Object.assign(new Error(message), { statusCode });
const tooLarge = (): Error => refusal(413, "the body is too large");
const packed = (): Error => refusal(415, "the body is packed");
const tooDeep = (): Error => refusal(400, "the body nests too deep");

/** Options of a route that takes more from whoever has a session, or a key. */
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
 * Bodies: a stranger's is small, arrives soon and nests little, and nobody's is packed, so that what is counted is what is read. Who may bring more is decided before it is read; a route
 * that takes more and doesn't say who may is refused when the server is built.
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
    endSlowBody(request, reply, admitted ? KNOWN_BODY_MS : bodyMs);
    return chunked && !admitted ? payload.pipe(smallOnly()) : payload;
  });

  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (isTooDeep(String(body))) done(tooDeep());
    else parse(request, String(body), done);
  });
}

/** Whoever sends a body drop by drop is answered, and the connection closed with the answer. */
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

/** For a body whose length isn't announced. */
function smallOnly(): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > STRANGER_BODY_BYTES ? tooLarge() : null, chunk);
    },
  });
}
