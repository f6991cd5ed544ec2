import { Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../../adapters/process/network-of.ts";
import { tooManyAttempts } from "../../kernel/errors.ts";
import { isTooDeep } from "../../kernel/json-depth.ts";
import { requestContext } from "./request-context.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** For routes that accept more than `STRANGER_BODY_BYTES`: decides whether this request may send more */
    maySendMore?: (request: FastifyRequest, reply: FastifyReply) => boolean | Promise<boolean>;
  }
}

/** Body limit for unauthenticated callers; a login needs a few hundred bytes. */
export const STRANGER_BODY_BYTES = 16 * 1024;
/** Body limit for authenticated callers. */
export const SESSION_BODY_BYTES = 1024 * 1024;
/** Time to receive a body. Authenticated callers get more, for large bodies on slow lines. */
const BODY_MS = 10_000;
const MAX_BODY_MS = 35_000;

/**
 * Large bodies that may arrive or be in progress at once, because they stay in memory until they are answered. Browsers send
 * up to six at once.
 */
const MAX_LARGE: Readonly<Record<"person" | "hotel" | "all", number>> = { person: 8, hotel: 24, all: 96 };
const LARGE_RETRY_MS = 5_000;

const refusal = (statusCode: number, message: string): Error => Object.assign(new Error(message), { statusCode });
const tooLarge = (): Error => refusal(413, "the body is too large");
const compressed = (): Error => refusal(415, "the body is compressed");
const tooDeep = (): Error => refusal(400, "the body nests too deep");

/** Returns route options that allow a larger body from callers with a session or key. */
export const forSignedIn = (bodyLimit: number) => ({ bodyLimit, config: { maySendMore: isSignedIn } });

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
 * are always refused, so that we count the bytes that we parse. The number of large bodies at a time is limited by
 * person and hotel. We decide about larger bodies before reading them; a
 * route with a larger limit must say who may use it, or the server fails to start.
 */
export function registerRequestBodies(app: FastifyInstance, { bodyMs = BODY_MS } = {}): void {
  const largeBodies = new LargeBodies();
  app.addHook("onRoute", ({ url, bodyLimit = 0, config }) => {
    if (bodyLimit > STRANGER_BODY_BYTES && !config?.maySendMore)
      throw new Error(`${url}: which callers may send so much?`);
  });

  app.addHook("onRequest", async ({ headers }, reply) => {
    if ((headers["content-encoding"] ?? "identity").toLowerCase() === "identity") return;
    reply.header("connection", "close");
    throw compressed();
  });

  app.addHook("preParsing", async (request, reply, payload) => {
    const { headers } = request;
    const chunked = headers["transfer-encoding"] !== undefined;
    const bytes = Number(headers["content-length"] ?? 0);
    if (!chunked && bytes === 0) return payload;
    const { maySendMore } = request.routeOptions.config;
    const isLarge = chunked || bytes > STRANGER_BODY_BYTES;
    const isAdmitted = isLarge && maySendMore !== undefined && (await maySendMore(request, reply));
    if (!isAdmitted && bytes > STRANGER_BODY_BYTES) {
      reply.header("connection", "close");
      throw tooLarge();
    }
    if (isAdmitted && !largeBodies.admit(request, reply)) {
      reply.header("connection", "close");
      throw tooManyAttempts(LARGE_RETRY_MS);
    }
    endSlowBody(request, reply, isAdmitted ? MAX_BODY_MS : bodyMs);
    return chunked && !isAdmitted ? payload.pipe(smallOnly()) : payload;
  });

  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (isTooDeep(String(body))) done(tooDeep());
    else parse(request, String(body), done);
  });
}

/** Counts the large bodies in memory by person, or by network if nobody is logged in, by hotel, and in all. */
class LargeBodies {
  readonly #counts = new Map<string, number>();

  /** Returns false if there are too many already. */
  admit(request: FastifyRequest, reply: FastifyReply): boolean {
    const { caller, ip } = request;
    const limits: [key: string, max: number][] = [
      [caller ? `person ${caller.hotelId} ${caller.operatorId}` : `network ${networkOf(ip)}`, MAX_LARGE.person],
      ...(caller ? [[`hotel ${caller.hotelId}`, MAX_LARGE.hotel] satisfies [string, number]] : []),
      ["all", MAX_LARGE.all],
    ];
    if (limits.some(([key, max]) => (this.#counts.get(key) ?? 0) >= max)) return false;
    for (const [key] of limits) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    reply.raw.once("close", () => {
      for (const [key] of limits) this.#release(key);
    });
    return true;
  }

  #release(key: string): void {
    const count = (this.#counts.get(key) ?? 1) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
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
