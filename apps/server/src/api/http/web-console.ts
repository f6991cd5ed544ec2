import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ConsolePages } from "./console-pages.ts";
import { sendNotFound } from "./error-replies.ts";
import { anyone, registerRoute } from "./route-contract.ts";
import { SESSION_COOKIE } from "./session-cookie.ts";
import { setConsoleHeaders, setWorkerHeaders } from "./site-protection.ts";

const page = (url: string) => ({ method: "GET", url, answers: { 200: { contentTypes: ["text/html"] } } }) as const;

/** Paths that never return the console's page, because their clients expect data. */
const DATA_PATHS = /^\/(api|files|manage|linQuan|\.well-known)(\/|$|\?)/;

/** Checks whether the request is for a page: it accepts HTML and its path has no file extension. */
function acceptsPage(request: FastifyRequest): boolean {
  const path = request.url.split("?")[0] ?? "/";
  const accepts = request.headers.accept ?? "*/*";
  return (
    (request.method === "GET" || request.method === "HEAD") &&
    !DATA_PATHS.test(path) &&
    !/\.[a-z0-9]{1,8}$/i.test(path) &&
    /text\/html|\*\/\*/.test(accepts)
  );
}

/**
 * Serves the built console: hashed files are cached for ever, the page never; every path of the console returns the
 * page.
 */
export async function registerWebConsole(app: FastifyInstance, directory: string): Promise<void> {
  const pages = new ConsolePages(directory);

  function sendPage({ url, cookies }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const nonce = setConsoleHeaders(reply, pages.hashes);
    const html = pages.htmlFor(url, { hasSession: Boolean(cookies[SESSION_COOKIE]), nonce });
    return reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(html);
  }

  if (pages.isBuilt) {
    await app.register(async (files) => {
      files.addHook("onRoute", (route) => {
        route.config = { ...route.config, contract: "files of the built console" };
      });
      await files.register(fastifyStatic, {
        root: directory,
        index: false,
        preCompressed: true,
        wildcard: true,
        cacheControl: false,
        setHeaders(reply, path) {
          const hashed = path.includes("/assets/");
          reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
          if (path.endsWith("/sw.js")) setWorkerHeaders(reply);
        },
      });
    });
  }
  for (const url of ["/", "/index.html"]) {
    registerRoute(app, page(url), {
      authenticate: anyone,
      handle: async ({ request, reply }) => sendPage(request, reply),
    });
  }
  app.setNotFoundHandler((request, reply) =>
    acceptsPage(request) ? sendPage(request, reply) : sendNotFound(request, reply),
  );
}
