import type { FastifyRequest } from "fastify";
import { type Site, siteAt } from "../../domain/identity/two-step/site.ts";

/**
 * Returns the site under which the browser sees the console, by the rule of same-origin.ts: PUBLIC_URL if set,
 * otherwise the requested host with the scheme of the Origin header. Returns null if passkeys don't work there.
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
