import { networkInterfaces } from "node:os";

/**
 * Returns the host name under which other machines reach a listener on `host`. For a wildcard address this is the
 * machine's first external IPv4 address.
 */
export function reachableHost(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return host.includes(":") ? `[${host}]` : host;
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal);
  return outside?.address ?? "localhost";
}
