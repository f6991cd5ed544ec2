import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { constants } from "node:zlib";
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import { DomainError } from "@innkey/shared/errors";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import type { Services } from "../../domain/services.ts";
import type { SecretBox } from "../../kernel/secret-box.ts";
import { registerGateway } from "../gateway/gateway.routes.ts";
import { registerDocsRoutes } from "../legacy/docs/docs.routes.ts";
import type { LegacyCipher } from "../legacy/envelope.ts";
import { registerPictureLinks, registerUploadLinks } from "../legacy/files.ts";
import { registerManageRoutes } from "../legacy/manage.routes.ts";
import { registerApiV1 } from "../v1/v1.routes.ts";
import { keepAliveMs, limitConnections, registerDraining } from "./connections.ts";
import { registerErrorReplies } from "./error-replies.ts";
import { registerRequestBodies, STRANGER_BODY_BYTES } from "./request-bodies.ts";
import { registerFinishedRequests, registerTracedRequests } from "./request-telemetry.ts";
import { requireContracts } from "./route-contract.ts";
import { registerBoardRoutes } from "./routes/board.routes.ts";
import { registerCalendarRoutes } from "./routes/calendars.routes.ts";
import { registerEventRoutes } from "./routes/events.routes.ts";
import { registerExportRoutes } from "./routes/exports.routes.ts";
import { registerFileRoutes } from "./routes/files.routes.ts";
import { registerGuestPictureRoutes } from "./routes/guest-pictures.routes.ts";
import { type MetricsDeps, registerHealthRoutes, registerMetricsRoute } from "./routes/health.routes.ts";
import { registerPrivacyRoutes } from "./routes/privacy.routes.ts";
import { registerReceiptRoutes } from "./routes/receipts.routes.ts";
import { registerRosterRoutes } from "./routes/rosters.routes.ts";
import { registerTrpc } from "./routes/trpc.routes.ts";
import { registerTtlockRoutes } from "./routes/ttlock.routes.ts";
import { registerUnlockRoutes } from "./routes/unlocks.routes.ts";
import { type SessionCookieCodec, sessionCookieCodec } from "./session-cookie.ts";
import { isApiRequest, refuseCrossSite, registerHostList, registerSecurityHeaders } from "./site-protection.ts";
import { registerWebConsole } from "./web-console.ts";

const WELL_FORMED = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Returns the function that gives each request its id for answers, log and audit. We accept an id only from a trusted
 * proxy, because duplicate ids could not be told apart in the audit.
 */
export function requestIds(acceptsIds: boolean): (request: IncomingMessage) => string {
  return ({ headers }) => {
    const incoming = acceptsIds ? headers["x-request-id"] : undefined;
    return typeof incoming === "string" && WELL_FORMED.test(incoming) ? incoming : randomUUID();
  };
}

/**
 * Limit of the time to answer. The console's calls time out after 40 s (source: the product specification, section 9).
 */
const ANSWER_TIMEOUT_MS = 38_000;

/**
 * Answers `unavailable` if no answer has started in time. Answers that have started, such as large files and event
 * streams, may continue.
 */
export function registerAnswerInTime(app: FastifyInstance, answerMs = ANSWER_TIMEOUT_MS): void {
  app.addHook("onRequest", async (_request, reply) => {
    const timer = setTimeout(() => {
      if (!reply.sent && !reply.raw.headersSent) reply.send(new DomainError("unavailable"));
    }, answerMs);
    reply.raw.once("close", () => clearTimeout(timer));
  });
}

declare module "fastify" {
  interface FastifyInstance {
    /** What routes need besides their own parameters */
    context: { services: Services; cookies: SessionCookieCodec; publicUrl: string | undefined };
  }
}

/** Time to receive a whole request (source: the product specification, section 9: the console's calls time out after 40 s). */
const REQUEST_TIMEOUT_MS = 40_000;
/** A connection that hasn't sent its request headers within this time is closed. */
const HEADERS_TIMEOUT_MS = 10_000;
const CONNECTION_CHECK_INTERVAL_MS = 2_000;
/** tRPC puts the names of all calls of a batch in one path segment. */
const MAX_PATH_SEGMENT = 5000;
const MIN_COMPRESSED_BYTES = 1024;
/** Brotli's default quality takes 100 times as long and saves 10 % more. */
const BROTLI_QUALITY = 4;

export interface HttpServerDeps {
  services: Services;
  /** Throws while the database can't be reached */
  ready: () => Promise<unknown>;
  cookieBox: SecretBox;
  log: Logger;
  trustProxy: boolean;
  publicUrl: string | undefined;
  /** Host names besides that of `publicUrl` that the server accepts */
  allowedHosts: readonly string[];
  sessionMaxSeconds: number;
  /** Ciphers of old clients' envelopes; null: the compatibility layer is off */
  legacyCiphers: readonly LegacyCipher[] | null;
  /** Folder of the built console */
  webDirectory: string;
  metrics: MetricsDeps;
}

interface BareServerDeps {
  log: Logger;
  trustProxy: boolean;
  /** Address under which browsers reach this server */
  publicUrl: string | undefined;
  allowedHosts: readonly string[];
  /** Whether a proxy in front of us names requests and traces; ids that strangers send must not reach logs. */
  acceptsIds: boolean;
}

/** Creates a server without routes, with what every public server needs: limits, headers, errors and the request log. */
export async function createBareServer(deps: BareServerDeps): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    // We trust one proxy. Earlier entries of X-Forwarded-For come from the client and are ignored.
    trustProxy: deps.trustProxy && ((_address: string, hop: number) => hop === 0),
    bodyLimit: STRANGER_BODY_BYTES,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL_MS },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: keepAliveMs(deps.trustProxy),
    forceCloseConnections: "idle",
    // We still answer requests that arrive while the server stops.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PATH_SEGMENT },
    genReqId: requestIds(deps.acceptsIds),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
  });
  limitConnections(app.server, deps.trustProxy);
  requireContracts(app);
  registerTracedRequests(app, deps.acceptsIds);
  registerFinishedRequests(app);
  registerDraining(app);
  registerErrorReplies(app);
  registerAnswerInTime(app);
  registerRequestBodies(app);
  await registerSecurityHeaders(app);
  registerHostList(app, deps);
  await app.register(cookie);
  await app.register(compress, {
    // Decompressed request bodies would not be limited; `registerRequestBodies` refuses compressed ones.
    globalDecompression: false,
    threshold: MIN_COMPRESSED_BYTES,
    encodings: ["br", "gzip"],
    // Event streams must not be compressed, because a compressor would delay single events.
    customTypes: (type) =>
      !type.startsWith("text/event-stream") &&
      /^(text\/|application\/(json|javascript|manifest)|image\/svg)/.test(type),
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
  return app;
}

/** Creates the HTTP server of the console, ready to listen. */
export async function createHttpServer(deps: HttpServerDeps): Promise<FastifyInstance> {
  const { services, publicUrl } = deps;
  const app = await createBareServer({ ...deps, acceptsIds: deps.trustProxy });
  const httpsOnly = publicUrl?.startsWith("https:") ?? false;
  const cookies = sessionCookieCodec(deps.cookieBox, deps.sessionMaxSeconds, httpsOnly);
  app.decorate("context", { services, cookies, publicUrl });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    if (!isApiRequest(request)) return;
    reply.header("cache-control", "no-store");
    refuseCrossSite(request, publicUrl);
  });
  registerHealthRoutes(app, deps.ready);
  registerMetricsRoute(app, deps.metrics);
  await app.register(registerTrpc);
  registerBoardRoutes(app, services);
  registerUnlockRoutes(app);
  registerEventRoutes(app, services);
  registerFileRoutes(app, services);
  registerExportRoutes(app, services);
  registerPrivacyRoutes(app, services);
  registerGuestPictureRoutes(app);
  registerRosterRoutes(app);
  registerReceiptRoutes(app, services);
  registerTtlockRoutes(app, services);
  registerCalendarRoutes(app, services);
  registerApiV1(app, services);
  if (deps.legacyCiphers) {
    registerManageRoutes(app, { services, ciphers: deps.legacyCiphers, publicUrl });
    registerPictureLinks(app, services);
    registerDocsRoutes(app);
    registerUploadLinks(app, services);
    registerGateway(app, services);
  }
  await registerWebConsole(app, deps.webDirectory);
  return app;
}
