import { randomBytes } from "node:crypto";
import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply } from "fastify";

/** Local card-reader services on the operator's machine (source: specification, sections 7 and 9). */
const READER_SERVICES = [
  "http://localhost:13570",
  "http://localhost:8765",
  "ws://localhost:39002",
  "ws://localhost:9618",
];

/**
 * Style elements that components of the console bring with them, by the hash of their content; a test holds them equal to
 * the installed packages. All other styles are files, or carry the page's nonce.
 */
export const STYLE_HASHES: readonly string[] = [
  // sonner puts its element into the page while it is still empty
  "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  // sonner: toasts
  "sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=",
  // @radix-ui/react-select: no scroll bar in the list
  "sha256-441zG27rExd4/il+NvIqyL8zFx5XmyNQtE381kSkUJk=",
];

/** Nothing may be done with an answer that is data, should a browser ever be led to show it. */
const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A page of text with a stylesheet beside it. */
const DOCUMENT_POLICY = `${DATA_POLICY}; style-src 'self'; img-src 'self'`;

/**
 * The console's page. Styles that scripts set through the object model need no permission, so that style attributes have
 * none. Nothing is parsed as HTML but what the page's own policy knows (apps/web/public/boot.js).
 */
function consolePolicy(nonce: string): string {
  const styles = ["'self'", ...STYLE_HASHES.map((hash) => `'${hash}'`), `'nonce-${nonce}'`].join(" ");
  return [
    "default-src 'none'",
    "script-src 'self'",
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
 * What the console's page may ask a browser for: a camera for faces, the place of the hotel, the clipboard, passkeys. What
 * is not named here stays as the browser has it, among it the way to card readers on the same machine.
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

/** A year, as browsers' own lists ask for. Source: hstspreload.org; RFC 6797. */
const HTTPS_ONLY = "max-age=31536000; includeSubDomains";

/** Makes an answer the console's page; returns the nonce to write into it. */
export function asConsolePage(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString("base64");
  reply.header("content-security-policy", consolePolicy(nonce)).header("permissions-policy", PERMISSIONS);
  return nonce;
}

/** Makes an answer a page of text that brings its own stylesheet. */
export function asDocument(reply: FastifyReply): void {
  reply.header("content-security-policy", DOCUMENT_POLICY);
}

/** Lets pages of other origins show what is opened by a link without a session. */
export function forAnyOrigin(reply: FastifyReply): void {
  reply.header("cross-origin-resource-policy", "cross-origin");
}

export async function registerSecurityHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    frameguard: { action: "deny" },
    referrerPolicy: { policy: "same-origin" },
    // Told only over https: on a hotel's plain LAN it would lock the console out.
    strictTransportSecurity: false,
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("content-security-policy", DATA_POLICY);
    if (request.protocol === "https") reply.header("strict-transport-security", HTTPS_ONLY);
  });
}
