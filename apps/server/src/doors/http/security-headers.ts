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

/** Headers of every answer; `nonce` belongs to the one page. */
function contentSecurityPolicy(nonce: string | null): string {
  const styles = ["'self'", ...STYLE_HASHES.map((hash) => `'${hash}'`), ...(nonce ? [`'nonce-${nonce}'`] : [])].join(
    " ",
  );
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src ${styles}`,
    // Positions of popovers are style attributes, set by script.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${READER_SERVICES.join(" ")}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const POLICY = contentSecurityPolicy(null);

/** Lets the page's own style elements in; returns the nonce to write into it. */
export function withStyleNonce(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString("base64");
  reply.header("content-security-policy", contentSecurityPolicy(nonce));
  return nonce;
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
    reply.header("content-security-policy", POLICY);
    if (request.protocol === "https") reply.header("strict-transport-security", "max-age=15552000");
  });
}
