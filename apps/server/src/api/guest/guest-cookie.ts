import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Recognises a browser in which a guest has shown who they are. Without the link it opens nothing. With https the name
 * begins with __Host-, so that no other site of the same domain can set it.
 */
export const GUEST_COOKIE = "innkey_guest";
const nameOf = (isSecure: boolean): string => (isSecure ? `__Host-${GUEST_COOKIE}` : GUEST_COOKIE);
const isSecure = ({ protocol }: FastifyRequest, guestUrl: string): boolean =>
  guestUrl.startsWith("https:") || protocol === "https";

export const readDeviceToken = (request: FastifyRequest, guestUrl: string): string | undefined =>
  request.cookies[nameOf(isSecure(request, guestUrl))];

/** Makes the browser send `token` for the next `maxAge` seconds. */
export function writeDeviceToken(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, maxAge }: { token: string; maxAge: number },
  guestUrl: string,
): void {
  const secure = isSecure(request, guestUrl);
  reply.setCookie(nameOf(secure), token, { path: "/", httpOnly: true, sameSite: "strict", secure, maxAge });
}

/** Makes the browser delete its token. */
export function clearDeviceToken(request: FastifyRequest, reply: FastifyReply, guestUrl: string): void {
  const secure = isSecure(request, guestUrl);
  reply.clearCookie(nameOf(secure), { path: "/", httpOnly: true, sameSite: "strict", secure });
}
