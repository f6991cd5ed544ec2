import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Recognises a browser in which a guest has shown who they are. Without the link it opens nothing. */
export const GUEST_COOKIE = "innkey_guest";
/** Longer than most stays; after that, the guest is asked once more. */
const LIFE_SECONDS = 90 * 86_400;

export const readDeviceToken = ({ cookies }: FastifyRequest): string | undefined => cookies[GUEST_COOKIE];

export function writeDeviceToken(request: FastifyRequest, reply: FastifyReply, token: string, guestUrl: string): void {
  const secure = guestUrl.startsWith("https:") || request.protocol === "https";
  reply.setCookie(GUEST_COOKIE, token, {
    ...{ path: "/api/", httpOnly: true, sameSite: "strict", secure, maxAge: LIFE_SECONDS },
  });
}
