import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { SecretBox } from "../../core/secret-box.ts";

/** Name from the product specification, section 9. */
export const SESSION_COOKIE = "smart_lock_userinfo";

/** The session's token in one browser's cookie. */
export interface SessionCookie {
  write(token: string): void;
  clear(): void;
}

export interface SessionCookieCodec {
  /** undefined: no cookie; null: one that we didn't make */
  read(request: FastifyRequest): string | null | undefined;
  on(request: FastifyRequest, reply: FastifyReply): SessionCookie;
}

/**
 * The cookie carries the token encrypted, out of reach of scripts. SameSite=Strict costs nothing here: pages are served
 * without a session, and what they then fetch is same-site, wherever the visitor came from.
 */
export function sessionCookieCodec(box: SecretBox, maxAgeSeconds: number, httpsOnly: boolean): SessionCookieCodec {
  return {
    read(request) {
      const value = request.cookies[SESSION_COOKIE];
      return value === undefined || value === "" ? undefined : box.open(Buffer.from(value, "base64url"));
    },
    on(request, reply) {
      const secure = httpsOnly || request.protocol === "https";
      const options = { path: "/", httpOnly: true, sameSite: "strict", secure } as const;
      return {
        write: (token) =>
          reply.setCookie(SESSION_COOKIE, box.seal(token).toString("base64url"), { ...options, maxAge: maxAgeSeconds }),
        clear: () => reply.clearCookie(SESSION_COOKIE, options),
      };
    },
  };
}
