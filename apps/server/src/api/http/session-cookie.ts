import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DEVICE_SECONDS } from "../../domain/identity/login/known-devices.ts";
import type { SecretBox } from "../../kernel/secret-box.ts";

/** Name from the product specification, section 9. */
export const SESSION_COOKIE = "smart_lock_userinfo";

export const COOKIE_CONTEXT = { outside: "session cookie" };

/**
 * Survives logout. It only shows that an operator of the hotel logged in with this browser before; it grants no
 * access.
 */
export const DEVICE_COOKIE = "innkey_device";
const DEVICE_CONTEXT = { outside: "device cookie" };

/** Writes and clears the cookies of one browser. */
export interface SessionCookie {
  write(token: string): void;
  writeDevice(token: string): void;
  clear(): void;
}

export interface SessionCookieCodec {
  /** The session's token; undefined without a cookie, null if the cookie isn't ours */
  read(request: FastifyRequest): string | null | undefined;
  /** The token of the device cookie; undefined without a valid cookie */
  readDevice(request: FastifyRequest): string | undefined;
  /** Whether the cookie is encrypted with a previous key, so that it must be rewritten before that key is removed */
  isOutdated(request: FastifyRequest): boolean;
  on(request: FastifyRequest, reply: FastifyReply): SessionCookie;
}

/**
 * Returns the reader and writer of session cookies. The token is encrypted and hidden from scripts. SameSite=Strict
 * has no disadvantage here: pages need no session, and their requests are same-site wherever the visitor came from.
 */
export function sessionCookieCodec(box: SecretBox, maxAgeSeconds: number, httpsOnly: boolean): SessionCookieCodec {
  const sealedIn = ({ cookies }: FastifyRequest): Buffer | undefined => {
    const value = cookies[SESSION_COOKIE];
    return value === undefined || value === "" ? undefined : Buffer.from(value, "base64url");
  };
  return {
    read(request) {
      const sealed = sealedIn(request);
      return sealed && box.open(sealed, COOKIE_CONTEXT);
    },
    readDevice({ cookies }) {
      const value = cookies[DEVICE_COOKIE];
      return value ? (box.open(Buffer.from(value, "base64url"), DEVICE_CONTEXT) ?? undefined) : undefined;
    },
    isOutdated(request) {
      const sealed = sealedIn(request);
      return sealed !== undefined && !sealed.subarray(0, box.keyId.length).equals(box.keyId);
    },
    on(request, reply) {
      const secure = httpsOnly || request.protocol === "https";
      const options = { path: "/", httpOnly: true, sameSite: "strict", secure } as const;
      return {
        write: (token) =>
          reply.setCookie(SESSION_COOKIE, box.seal(token, COOKIE_CONTEXT).toString("base64url"), {
            ...options,
            maxAge: maxAgeSeconds,
          }),
        writeDevice: (token) =>
          reply.setCookie(DEVICE_COOKIE, box.seal(token, DEVICE_CONTEXT).toString("base64url"), {
            ...{ ...options, path: "/api/" },
            maxAge: DEVICE_SECONDS,
          }),
        clear: () => reply.clearCookie(SESSION_COOKIE, options),
      };
    },
  };
}
