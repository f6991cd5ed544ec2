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
 * Hashes of the style elements that the console's components insert; a test compares them with the installed packages.
 * All other styles are files or carry the page's nonce.
 */
export const STYLE_HASHES: readonly string[] = [
  // sonner inserts its element while it is still empty
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
 * needs no permission. Only the page's own trusted-types policy may parse HTML (apps/web/public/boot.js).
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
const HTTPS_ONLY = "max-age=31536000; includeSubDomains";

/** Sets the headers of the console's page; returns the nonce to insert. */
export function asConsolePage(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString("base64");
  reply.header("content-security-policy", consolePolicy(nonce)).header("permissions-policy", PERMISSIONS);
  return nonce;
}

/** Sets the policy of a text page with its own stylesheet. */
export function asDocument(reply: FastifyReply): void {
  reply.header("content-security-policy", DOCUMENT_POLICY);
}

/** Lets pages of other origins embed a file that a link opens without a session. */
export function forAnyOrigin(reply: FastifyReply): void {
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
    if (request.protocol === "https") reply.header("strict-transport-security", HTTPS_ONLY);
  });
}
