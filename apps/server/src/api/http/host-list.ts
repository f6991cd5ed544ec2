import { isIP } from "node:net";
import { DomainError } from "@innkey/shared/errors";
import { languageOf } from "@innkey/shared/languages";
import type { FastifyInstance } from "fastify";
import { translator } from "../../kernel/translate.ts";

/**
 * Name endings that can't be registered publicly, so they are safe against DNS rebinding. Source: RFC 6761, RFC 6762,
 * RFC 8375; ICANN on .internal; `lan` and `home` are not delegated.
 */
const PRIVATE_ENDING = /(^|\.)(localhost|local|internal|home\.arpa|lan|home|test)$/;

/** Excludes user, path and query, because we build addresses from the host. */
const HOST = /^[a-z0-9.:[\]-]*$/i;

/** Returns the name without port and brackets, in lower case. */
function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d+$/, "")
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

/**
 * Checks whether a host is one of the server's names: IP addresses, names without a dot, private names, and configured
 * names.
 */
export function isOwnName(host: string, names: ReadonlySet<string>): boolean {
  if (!HOST.test(host)) return false;
  const name = nameOf(host);
  return isIP(name) !== 0 || !name.includes(".") || PRIVATE_ENDING.test(name) || names.has(name);
}

/** Refuses all requests whose Host header isn't one of the server's own names. */
export function registerHostList(
  app: FastifyInstance,
  { publicUrl, allowedHosts }: { publicUrl: string | undefined; allowedHosts: readonly string[] },
): void {
  const names = new Set([...allowedHosts, ...(publicUrl ? [new URL(publicUrl).host] : [])].map(nameOf));
  app.addHook("onRequest", async (request, reply) => {
    if (isOwnName(request.host, names)) return undefined;
    if (request.url.startsWith("/api/")) throw new DomainError("unknown_host");
    if (!request.headers.accept?.includes("text/html")) return reply.code(421).send({ code: "unknown_host" });
    const language = languageOf(request.headers["accept-language"]?.split(/[,;]/)[0] ?? null).code;
    return reply
      .code(421)
      .type("text/plain; charset=utf-8")
      .send(`${translator(language)("errors.unknown_host", {})}\n\nPUBLIC_URL, ALLOWED_HOSTS\n`);
  });
}
