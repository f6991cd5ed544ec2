import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { SecretBox } from "../../core/secret-box.ts";
import { DEVICE_SECONDS } from "../../modules/auth/known-devices.ts";

/** Name from the product specification, section 9. */
export const SESSION_COOKIE = "smart_lock_userinfo";

export const COOKIE_CONTEXT = { outside: "session cookie" };

/** Stays when somebody signs out: it says that a person of the house logged in here before, and opens nothing. */
export const DEVICE_COOKIE = "innkey_device";
const DEVICE_PLACE = { outside: "device cookie" };

/** The session's token in one browser's cookie. */
export interface SessionCookie {
  write(token: string): void;
  writeDevice(token: string): void;
  clear(): void;
}

export interface SessionCookieCodec {
  /** undefined: no cookie; null: one that we didn't make */
  read(request: FastifyRequest): string | null | undefined;
  /** what the browser shows of itself; undefined where it shows nothing that we made */
  readDevice(request: FastifyRequest): string | undefined;
  /** sealed with a key of before: it is to be written anew while that one still opens it */
  isOutdated(request: FastifyRequest): boolean;
  on(request: FastifyRequest, reply: FastifyReply): SessionCookie;
}

/**
 * The cookie carries the token encrypted, out of reach of scripts. SameSite=Strict costs nothing here: pages are served
 * without a session, and what they then fetch is same-site, wherever the visitor came from.
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
      return value ? (box.open(Buffer.from(value, "base64url"), DEVICE_PLACE) ?? undefined) : undefined;
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
          reply.setCookie(DEVICE_COOKIE, box.seal(token, DEVICE_PLACE).toString("base64url"), {
            ...{ ...options, path: "/api/" },
            maxAge: DEVICE_SECONDS,
          }),
        clear: () => reply.clearCookie(SESSION_COOKIE, options),
      };
    },
  };
}
