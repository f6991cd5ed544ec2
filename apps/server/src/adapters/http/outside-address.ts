import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/**
 * Addresses that a configured URL must never reach: this machine's own, link-local neighbours, the metadata services
 * where clouds provide a machine's credentials, and addresses that a router translates into these. The hotel's own
 * network is allowed, because other programs of the hotel run there. Source: RFC 6890; RFC 4291, 6052, 8215, 3056 and
 * 4380 for IPv4 inside IPv6; metadata services of AWS, Azure, Google, Alibaba and Oracle.
 */
const forbidden = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 3],
] as const) {
  forbidden.addSubnet(network, prefix, "ipv4");
}
for (const address of ["100.100.100.200", "168.63.129.16", "192.0.0.192"]) forbidden.addAddress(address, "ipv4");
for (const [network, prefix] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
  ["fe80::", 10],
  ["fd00:ec2::", 32],
  ["fd20:ce::", 32],
  ["ff00::", 8],
] as const) {
  forbidden.addSubnet(network, prefix, "ipv6");
}
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const networksOfHouses = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["198.18.0.0", 15],
] as const) {
  networksOfHouses.addSubnet(network, prefix, "ipv4");
}
networksOfHouses.addSubnet("fc00::", 7, "ipv6");

/** Reads the interfaces each time, because a machine's addresses change while it runs. */
function isOwn(address: string, family: "ipv4" | "ipv6"): boolean {
  const own = new BlockList();
  for (const entry of Object.values(networkInterfaces()).flat()) {
    if (entry) own.addAddress(entry.address.replace(/%.*$/, ""), entry.family === "IPv4" ? "ipv4" : "ipv6");
  }
  return own.check(address, family);
}

/** Like `mayReach`, but for a public service, which can't be in a private network. */
export function mayReachWorld(address: string, allowLoopback = false): boolean {
  if (!mayReach(address, allowLoopback)) return false;
  const plain = address.replace(/^::ffff:/i, "");
  return !networksOfHouses.check(plain, isIP(plain) === 4 ? "ipv4" : "ipv6");
}

/** Checks whether a URL that a person configured may lead to this address. `allowLoopback` is for tests. */
export function mayReach(address: string, allowLoopback = false): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  const version = isIP(plain);
  if (version === 0) return false;
  // Legitimate configurations do not use other spellings of mapped addresses.
  if (version === 6 && /^::ffff:/i.test(plain)) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  if (loopback.check(plain, family)) return allowLoopback;
  return !forbidden.check(plain, family) && !isOwn(plain, family);
}

/** Returns the addresses of a host name, or the address itself. Empty if none can be found now. */
export function addressesOf(host: string): Promise<string[]> {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIP(bare)) return Promise.resolve([bare]);
  return new Promise((resolve) => {
    lookup(bare, { all: true }, (error, addresses: LookupAddress[] | undefined) =>
      resolve(error || !addresses ? [] : addresses.map(({ address }) => address)),
    );
  });
}
