import type { FastifyRequest } from "fastify";
import { type Site, siteAt } from "../../modules/auth/two-step/site.ts";

/**
 * Where the browser sees the console, by the rule of same-origin.ts: at PUBLIC_URL where that is set, else at the host it
 * asked, with the scheme that its own word on the origin has. Null where passkeys don't work.
 */
export function siteOf(request: FastifyRequest, publicUrl: string | undefined): Site | null {
  const { origin } = request.headers;
  const originUrl = origin !== undefined && URL.canParse(origin) ? new URL(origin) : null;
  const ownSite = originUrl?.host === request.host ? originUrl.origin : `${request.protocol}://${request.host}`;
  if (publicUrl === undefined) return siteAt(ownSite);
  const site = siteAt(new URL(publicUrl).origin);
  return site &&
    (originUrl?.origin === site.origin || ownSite === site.origin || request.host === new URL(publicUrl).host)
    ? site
    : null;
}
