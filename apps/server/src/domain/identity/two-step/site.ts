/** Where a browser sees the console: what its passkeys are made for and sign. */
export interface Site {
  /** as `https://desk.example:8443` */
  origin: string;
  /** the relying party's id: the host without port */
  rpId: string;
}

/**
 * The site of an origin, or null where browsers offer no passkeys: without https, but for this very machine, and at a
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
