import { networkInterfaces } from "node:os";

/** The name by which others on the network reach what listens on `host`: for "everywhere", this machine's first address. */
export function reachableHost(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return host.includes(":") ? `[${host}]` : host;
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal);
  return outside?.address ?? "localhost";
}
