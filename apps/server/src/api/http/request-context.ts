import { DomainError } from "@innkey/shared/errors";
import { languageOf } from "@innkey/shared/languages";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Resolution } from "../../domain/identity/login/sessions.ts";
import type { Visitor } from "../../domain/identity/login/visitor.ts";
import { type Site, siteAt } from "../../domain/identity/two-step/factors.ts";
import type { Scope } from "../../kernel/scope.ts";
import { callerScope, type RequestContext } from "../trpc/trpc.ts";

const BEARER = /^Bearer +(\S+) *$/i;

/** Returns the bearer token of the request, or null without one. */
export const bearerToken = ({ headers }: FastifyRequest): string | null =>
  BEARER.exec(headers.authorization ?? "")?.[1] ?? null;

/**
 * Returns the API key of the request, or null without one; other bearer tokens may come from a proxy. Pages of other
 * sites can't make a browser send this header, and we ignore cookies when it is present, so such a request needs no
 * cross-site check.
 */
export function apiKeyOf(request: FastifyRequest): string | null {
  const token = bearerToken(request);
  return token !== null && /^ik_/i.test(token) ? token : null;
}

/**
 * Returns the site under which the browser sees the console, by the rule of `refuseCrossSite`: PUBLIC_URL if set,
 * otherwise the requested host with the scheme of the Origin header. Returns null if passkeys can't work: the request came
 * under another address than PUBLIC_URL, or the address is none that browsers allow passkeys on.
 */
export function siteOf(request: FastifyRequest, publicUrl: string | undefined): Site | null {
  const { origin } = request.headers;
  const originUrl = origin !== undefined && URL.canParse(origin) ? new URL(origin) : null;
  const ownSite = originUrl?.host === request.host ? originUrl.origin : `${request.protocol}://${request.host}`;
  if (publicUrl === undefined) return siteAt(ownSite);
  const site = siteAt(new URL(publicUrl).origin);
  return site &&
    (originUrl?.origin === site.origin || ownSite === site.origin || request.host === new URL(publicUrl).host)
    ? site
    : null;
}

const NO_SESSION: Resolution = {
  ...{ scope: null, limited: null, sessionEnd: null },
  ...{ sessionId: null, boardVersion: null, snapshot: null },
};
const FOREIGN_COOKIE: Resolution = { ...NO_SESSION, sessionEnd: "session_revoked" };

/**
 * Returns what a request tells of its sender. A `language` of the body takes precedence over the header; an unknown one
 * means English.
 */
export function visitorOf(request: FastifyRequest, channel: Visitor["channel"], language?: string | null): Visitor {
  const header = request.headers.language;
  return {
    address: request.ip,
    userAgent: request.headers["user-agent"] ?? "",
    language: languageOf(language || (typeof header === "string" ? header : null)).code,
    channel,
    requestId: request.id,
  };
}

/**
 * Resolves the caller, in one database round trip. An API key takes precedence over a cookie. With `touch` false the
 * request doesn't count as activity, for streams that check repeatedly whether their session is still live.
 */
export async function requestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  touch = true,
): Promise<RequestContext> {
  const { services, cookies, publicUrl } = request.server.context;
  const visitor: Visitor = { ...visitorOf(request, "console"), deviceToken: cookies.readDevice(request) };
  const site = siteOf(request, publicUrl);
  const context = {
    visitor,
    site,
    cookie: cookies.on(request, reply),
    services,
    requestId: request.id,
    request,
    reply,
  };
  const key = apiKeyOf(request);
  if (key !== null) {
    try {
      const holder = await services.keys.resolve(key, visitor, touch);
      request.caller = callerIn(holder.scope);
      return { ...NO_SESSION, ...holder, keyRefusal: null, ...context };
    } catch (refusal) {
      if (!(refusal instanceof DomainError)) throw refusal;
      return { ...NO_SESSION, keyRefusal: refusal, ...context };
    }
  }
  const token = cookies.read(request);
  const session =
    token === undefined
      ? NO_SESSION
      : token === null
        ? FOREIGN_COOKIE
        : await services.auth.sessions.resolve(token, visitor, touch);
  // Streams skip this, because their answer has already started.
  if (touch && session.scope && token && cookies.isOutdated(request)) context.cookie.write(token);
  request.caller = callerIn(session.scope);
  const scope = session.scope ?? session.limited;
  if (scope && session.sessionId) visitor.openSession = { scope, sessionId: session.sessionId };
  return { ...session, keyRefusal: null, ...context };
}

/** A request of an operator or program. */
export interface SignedInRequest {
  scope: Scope;
  context: RequestContext;
}

/** Returns the logged-in operator or program. @throws the reason of the refusal */
export async function signedInCaller(request: FastifyRequest, reply: FastifyReply): Promise<SignedInRequest> {
  const context = await requestContext(request, reply);
  return { scope: callerScope(context), context };
}

/** Returns the caller's ids for the log. */
export const callerIn = (scope: Scope | null): FastifyRequest["caller"] =>
  scope && { hotelId: scope.hotelId, operatorId: scope.operatorId };
