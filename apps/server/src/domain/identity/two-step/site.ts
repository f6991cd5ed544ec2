/** Site at which a browser opens the console; passkeys are bound to it. */
export interface Site {
  /** Such as `https://desk.example:8443`. */
  origin: string;
  /** Id of the WebAuthn relying party: the host without the port. */
  rpId: string;
}

/**
 * Returns the site of an origin; null where browsers offer no passkeys: without https (except on localhost) and at a
 * bare IP address (WebAuthn, "Relying Party Identifier").
 */
export function siteAt(origin: string): Site | null {
  if (!URL.canParse(origin)) return null;
  const url = new URL(origin);
  const { hostname, protocol } = url;
  const local = hostname === "localhost" || hostname.endsWith(".localhost");
  if (protocol !== "https:" && !(protocol === "http:" && local)) return null;
  if (hostname.startsWith("[") || /^[\d.]+$/.test(hostname)) return null;
  return { origin: url.origin, rpId: hostname };
}
