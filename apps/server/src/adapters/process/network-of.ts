import { isIPv6 } from "node:net";

const MAPPED_V4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the network that one visitor controls: an IPv4 address, or the /64 from which an IPv6 host freely chooses its
 * addresses (source: RFC 7934, RFC 8981).
 */
export function networkOf(address: string): string {
  const mapped = MAPPED_V4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  return `${groupsOf(address).slice(0, 4).join(":")}::/64`;
}

/**
 * Returns the IPv6 networks that one customer of a provider may control (source: RFC 6177): the /56 and the /48; null
 * for IPv4.
 */
export function siteNetworksOf(address: string): { small: string; large: string } | null {
  if (MAPPED_V4.test(address) || !isIPv6(address)) return null;
  const groups = groupsOf(address);
  const fourth = (Number.parseInt(groups[3] ?? "0", 16) & 0xff00).toString(16);
  const large = groups.slice(0, 3).join(":");
  return { small: `${large}:${fourth}::/56`, large: `${large}::/48` };
}

/** Returns all eight groups, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = "", tail = ""] = address.replace(/%.*$/, "").split("::");
  const split = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const [first, last] = [split(head), split(tail)];
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0");
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16).toString(16));
}
