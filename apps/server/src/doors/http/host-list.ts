import { isIP } from "node:net";
import { DomainError } from "@innkey/shared/errors";
import { languageOf } from "@innkey/shared/languages";
import type { FastifyInstance } from "fastify";
import { translator } from "../../core/translate.ts";

/**
 * Endings of names that nobody can register, so that no stranger's page gets a browser to take this server for its own
 * (DNS rebinding). Source: RFC 6761, RFC 6762, RFC 8375; ICANN on .internal; `lan` and `home` are not delegated.
 */
const PRIVATE_ENDING = /(^|\.)(localhost|local|internal|home\.arpa|lan|home|test)$/;

/** No user, path or query, which would become part of an address that is made of it. */
const HOST = /^[a-z0-9.:[\]-]*$/i;

/** The name without port and brackets, in lower case. */
function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d+$/, "")
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

/** Whether the server answers to this name: addresses, names without a dot, private ones, and those that were set. */
export function isOwnName(host: string, names: ReadonlySet<string>): boolean {
  if (!HOST.test(host)) return false;
  const name = nameOf(host);
  return isIP(name) !== 0 || !name.includes(".") || PRIVATE_ENDING.test(name) || names.has(name);
}

/** Refuses, whatever is asked, what a browser sends here under a name that isn't the server's own. */
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
