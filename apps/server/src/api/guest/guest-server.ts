import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import type { Services } from "../../domain/services.ts";
import { hashesOf } from "../http/console-pages.ts";
import { sendNotFound } from "../http/error-replies.ts";
import { anyone, registerRoute } from "../http/route-contract.ts";
import { createBareServer } from "../http/server.ts";
import { isApiRequest, refuseCrossSite, setWorkerHeaders } from "../http/site-protection.ts";
import { registerGuestRoutes } from "./guest.routes.ts";

export interface GuestServerDeps {
  services: Services;
  log: Logger;
  trustProxy: boolean;
  /** Address under which guests reach this server */
  guestUrl: string;
  /** Folder of the built page */
  webDirectory: string;
}

const PAGE = { method: "GET", url: "/", answers: { 200: { contentTypes: ["text/html"] } } } as const;
const WORKER = { method: "GET", url: "/sw.js", answers: { 200: { contentTypes: ["text/javascript"] } } } as const;
const NOT_BUILT = "<!doctype html><title>Innkey</title><p>The guests’ page is not built yet: npm run build.</p>";

/** The page runs the script and applies the style of its document, loads texts as files, and calls only its own server. */
const policyOf = (html: string): string => {
  const quoted = (element: "script" | "style"): string =>
    hashesOf(html, element)
      .map((hash) => ` '${hash}'`)
      .join("");
  return [
    "default-src 'none'",
    `script-src 'self'${quoted("script")}`,
    `style-src 'self'${quoted("style")}`,
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types worker",
  ].join("; ");
};
const PERMISSIONS = [
  ...["accelerometer", "autoplay", "camera", "clipboard-read", "display-capture", "geolocation", "gyroscope", "hid"],
  ...["magnetometer", "microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking"],
]
  .map((name) => `${name}=()`)
  .join(", ");

/**
 * Creates the server of guests' pages, which has an origin of its own and serves nothing else: no route of the console
 * is here, and no cookie of the console counts here.
 */
export async function createGuestServer(deps: GuestServerDeps): Promise<FastifyInstance> {
  const { services, log, trustProxy, guestUrl, webDirectory } = deps;
  const app = await createBareServer({
    ...{ log, trustProxy, publicUrl: guestUrl, allowedHosts: [] },
    // Anybody may call, and a proxy may pass on what they send.
    acceptsIds: false,
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    // The address contains a secret in its fragment, which browsers don't send anyway; nor does anybody learn the page.
    reply.header("referrer-policy", "no-referrer").header("x-robots-tag", "noindex");
    if (!isApiRequest(request)) return;
    reply.header("cache-control", "no-store");
    refuseCrossSite(request, guestUrl);
  });
  registerGuestRoutes(app, services, guestUrl);
  await registerGuestPage(app, webDirectory);
  return app;
}

async function registerGuestPage(app: FastifyInstance, directory: string): Promise<void> {
  const htmlPath = join(directory, "index.html");
  const isBuilt = existsSync(htmlPath);
  const html = isBuilt ? readFileSync(htmlPath, "utf8") : NOT_BUILT;
  const policy = policyOf(html);
  const sendPage = (reply: FastifyReply): FastifyReply =>
    reply
      .header("content-security-policy", policy)
      .header("permissions-policy", PERMISSIONS)
      .header("cache-control", "no-cache")
      .type("text/html; charset=utf-8")
      .send(html);
  registerRoute(app, PAGE, { authenticate: anyone, handle: async ({ reply }) => sendPage(reply) });
  const workerPath = join(directory, "sw.js");
  const worker = existsSync(workerPath) ? readFileSync(workerPath, "utf8") : "";
  registerRoute(app, WORKER, {
    authenticate: anyone,
    async handle({ reply }) {
      setWorkerHeaders(reply);
      return reply.header("cache-control", "no-cache").type("text/javascript; charset=utf-8").send(worker);
    },
  });
  if (isBuilt) {
    await app.register(async (files) => {
      files.addHook("onRoute", (route) => {
        route.config = { ...route.config, contract: "files of the built console" };
      });
      await files.register(fastifyStatic, {
        root: join(directory, "assets"),
        prefix: "/assets/",
        index: false,
        wildcard: true,
        cacheControl: false,
        setHeaders: (reply) => reply.header("cache-control", "public, max-age=31536000, immutable"),
      });
    });
  }
  app.setNotFoundHandler((request, reply) => sendNotFound(request, reply));
}
