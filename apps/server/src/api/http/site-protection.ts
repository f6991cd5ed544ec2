import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import helmet from "@fastify/helmet";
import { DomainError } from "@innkey/shared/errors";
import { languageOf } from "@innkey/shared/languages";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { translator } from "../../kernel/translate.ts";
import type { InlineHashes } from "./console-pages.ts";
import { apiKeyOf } from "./request-context.ts";

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

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const OWN_SITE = new Set(["same-origin", "none"]);

/**
 * Refuses writes that another site made the browser send. They need the header `x-innkey: 1`, which forms can't send
 * and foreign scripts may not. If the browser names the origin, it must be ours; browsers always do so for writes.
 * Requests with an API key need no check. @throws cross_site
 */
export function refuseCrossSite(request: FastifyRequest, publicUrl: string | undefined): void {
  if (SAFE_METHODS.has(request.method) || apiKeyOf(request) !== null) return;
  if (request.headers["x-innkey"] !== "1") throw new DomainError("cross_site");
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && !OWN_SITE.has(String(site))) throw new DomainError("cross_site");
  if (origin === undefined) return;
  const allowed = [request.host, ...(publicUrl ? [new URL(publicUrl).host] : [])];
  if (!URL.canParse(origin) || !allowed.includes(new URL(origin).host)) throw new DomainError("cross_site");
}

/** Local card-reader services on the operator's machine (source: specification, sections 7 and 9). */
const READER_SERVICES = [
  "http://localhost:13570",
  "http://localhost:8765",
  "ws://localhost:39002",
  "ws://localhost:9618",
];

/**
 * Hashes of the style elements that the console's components insert; a test compares them with the installed packages.
 * All other styles are files or carry the page's nonce.
 */
export const STYLE_HASHES: readonly string[] = [
  // sonner: its style element is empty when it is inserted, so this is the hash of an empty text
  "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  // sonner: toasts
  "sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=",
  // @radix-ui/react-select: hides the scroll bar in the list
  "sha256-441zG27rExd4/il+NvIqyL8zFx5XmyNQtE381kSkUJk=",
];

/** Policy of data answers: forbids everything, in case a browser displays one as a page. */
const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Policy of a text page with a separate stylesheet. */
const DOCUMENT_POLICY = `${DATA_POLICY}; style-src 'self'; img-src 'self'`;

/**
 * Policy of the console's page. Style attributes are forbidden; scripts set styles through the object model, which
 * needs no permission. Only the page's own trusted-types policy may parse HTML (apps/web/src/boot/boot.ts).
 */
function consolePolicy(nonce: string, inline: InlineHashes): string {
  const quoted = (hashes: readonly string[]): string[] => hashes.map((hash) => `'${hash}'`);
  const styles = ["'self'", ...quoted([...STYLE_HASHES, ...inline.styles]), `'nonce-${nonce}'`].join(" ");
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...quoted(inline.scripts)].join(" ")}`,
    "worker-src 'self'",
    "script-src-attr 'none'",
    `style-src ${styles}`,
    "style-src-attr 'none'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src 'self' ${READER_SERVICES.join(" ")}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");
}

/**
 * Browser features that the console's page may use: camera for faces, location of the hotel, clipboard, passkeys.
 * Features not listed keep the browser's default, among them access to card readers on the same machine.
 */
const PERMISSIONS = [
  ...["camera", "geolocation", "clipboard-write", "publickey-credentials-create", "publickey-credentials-get"].map(
    (name) => `${name}=(self)`,
  ),
  ...["accelerometer", "autoplay", "clipboard-read", "display-capture", "gyroscope", "hid", "magnetometer"],
  ...["microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking"],
]
  .map((entry) => (entry.includes("=") ? entry : `${entry}=()`))
  .join(", ");

/** One year, as the browsers' preload list requires. Source: hstspreload.org; RFC 6797. */
const HSTS = "max-age=31536000; includeSubDomains";

/** Sets the headers of the console's page; returns the nonce to insert. `inline`: its own elements that are no files. */
export function setConsoleHeaders(reply: FastifyReply, inline: InlineHashes): string {
  const nonce = randomBytes(16).toString("base64");
  reply.header("content-security-policy", consolePolicy(nonce, inline)).header("permissions-policy", PERMISSIONS);
  return nonce;
}

/** Sets the policy of the service worker, which requests the console's own files. */
export function setWorkerHeaders(reply: { header(name: string, value: string): unknown }): void {
  reply.header("content-security-policy", "default-src 'none'; connect-src 'self'");
}

/** Sets the policy of a text page with its own stylesheet. */
export function setDocumentHeaders(reply: FastifyReply): void {
  reply.header("content-security-policy", DOCUMENT_POLICY);
}

/** Lets pages of other origins embed a file that a link opens without a session. */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header("cross-origin-resource-policy", "cross-origin");
}

export async function registerSecurityHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    frameguard: { action: "deny" },
    referrerPolicy: { policy: "same-origin" },
    // We send it only over https (below): on a hotel's plain-HTTP LAN it would lock the console out.
    strictTransportSecurity: false,
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("content-security-policy", DATA_POLICY);
    if (request.protocol === "https") reply.header("strict-transport-security", HSTS);
  });
}

/**
 * Checks whether a request goes to a route below /api/. The route decides, because the path of a request may be written
 * with escapes, as /%61pi/, and still reach it.
 */
export const isApiRequest = ({ routeOptions, url }: FastifyRequest): boolean =>
  (routeOptions.url ?? url).startsWith("/api/");
