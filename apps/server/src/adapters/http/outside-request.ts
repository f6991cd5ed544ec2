import dns, { type LookupAddress } from "node:dns";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/**
 * Addresses that a configured URL must never reach: this machine's own, link-local and site-local neighbours, the
 * metadata services where clouds provide a machine's credentials, addresses that a router translates into these, and
 * blocks where no service can be. The hotel's own network is allowed, because other programs of the hotel run there.
 * Source: RFC 6890 and IANA's registries of special-purpose addresses; RFC 3879 for `fec0::/10`; RFC 4291, 6052, 8215,
 * 3056 and 4380 for IPv4 inside IPv6; metadata services of AWS, Azure, Google, Alibaba and Oracle.
 */
const forbidden = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["192.0.0.0", 24],
  ["192.88.99.0", 24],
  ["224.0.0.0", 3],
] as const) {
  forbidden.addSubnet(network, prefix, "ipv4");
}
for (const address of ["100.100.100.200", "168.63.129.16"]) forbidden.addAddress(address, "ipv4");
for (const [network, prefix] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2002::", 16],
  ["5f00::", 16],
  ["fe80::", 10],
  ["fec0::", 10],
  ["fd00:ec2::", 32],
  ["fd20:ce::", 32],
  ["ff00::", 8],
] as const) {
  forbidden.addSubnet(network, prefix, "ipv6");
}
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["198.18.0.0", 15],
] as const) {
  privateNetworks.addSubnet(network, prefix, "ipv4");
}
privateNetworks.addSubnet("fc00::", 7, "ipv6");

/** Checks whether the address is one of this machine's, which may change while it runs. */
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
  return !privateNetworks.check(plain, isIP(plain) === 4 ? "ipv4" : "ipv6");
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

/**
 * Returns the addresses of a host name, or the address itself. Empty if none can be found now. The system's own look-up
 * can't be ended, so `signal` ends only the wait for it. @throws the reason of `signal`
 */
async function addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
  const bareHost = host.replace(/^\[|\]$/g, "");
  if (isIP(bareHost)) return [bareHost];
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    dns.lookup(bareHost, { all: true }, (error, addresses: LookupAddress[] | undefined) => {
      signal.removeEventListener("abort", stop);
      resolve(error || !addresses ? [] : addresses.map(({ address }) => address));
    });
  });
}

/** How long the form in which a person enters a host name waits for its addresses. */
const ENTRY_LOOKUP_MS = 3000;

/**
 * Like `addressesOf`, for the check of an address while a person enters it. If the name server doesn't answer within
 * 3 s, returns no address.
 */
export function addressesAtEntry(host: string): Promise<string[]> {
  return addressesOf(host, AbortSignal.timeout(ENTRY_LOOKUP_MS)).catch(() => []);
}

export interface OutsideOptions {
  /** checks the address of the actual connection, so that a name can't resolve to another address after a check */
  mayReach(address: string): boolean;
  signal: AbortSignal;
}

/** The host has no address, or none that may be reached (`hasAddress`). */
export class NoAddress extends Error {
  override readonly name = "NoAddress";
  constructor(readonly hasAddress: boolean) {
    super("no address there that may be reached");
  }
}

/**
 * POSTs to a URL that a person configured and follows no redirect.
 * @throws NoAddress; Error that quotes nothing of the request
 */
export async function postOutside(
  url: URL,
  content: { headers: Record<string, string>; body: string },
  { mayReach, signal }: OutsideOptions,
): Promise<IncomingMessage> {
  const addresses = await addressesOf(url.hostname, signal);
  const address = addresses.find(mayReach);
  if (address === undefined) throw new NoAddress(addresses.length > 0);
  signal.throwIfAborted();
  const send = url.protocol === "https:" ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = send(
      {
        host: address,
        port: url.port || undefined,
        path: url.pathname + url.search,
        method: "POST",
        headers: { host: url.host, "content-length": Buffer.byteLength(content.body), ...content.headers },
        ...(!isIP(url.hostname) && { servername: url.hostname }),
        signal,
      },
      resolve,
    );
    request.on("error", reject);
    request.end(content.body);
  });
}
