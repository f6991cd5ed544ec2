import { isIPv6 } from "node:net";

const MAPPED_V4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * What one visitor holds of the net: an IPv4 address, or the /64 that an IPv6 host picks its addresses from at will
 * (source: RFC 7934, RFC 8981).
 */
export function networkOf(address: string): string {
  const mapped = MAPPED_V4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.replace(/%.*$/, "").split("::");
  const groupsOf = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0");
  const groups = [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.slice(0, 4).join(":")}::/64`;
}
