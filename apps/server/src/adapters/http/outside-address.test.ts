import dns from "node:dns";
import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, it, vi } from "vitest";
import { addressesAtEntry, mayReach, mayReachWorld } from "./outside-request.ts";

it.each([
  "169.254.169.254",
  "169.254.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "fe80::1",
  "fd00:ec2::254",
  "fd20:ce::254",
  "ff02::1",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "::a9fe:a9fe",
  "::ffff:0:169.254.169.254",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::a9fe:a9fe",
  "2002:a9fe:a9fe::1",
  "2001:0:a9fe:a9fe::1",
  "fe80::1%eth0",
  "fec0::1",
  "feff::1",
  "100::1",
  "192.0.0.8",
  "192.0.0.170",
  "240.0.0.1",
  "::ffff:0:7f00:1",
  "192.88.99.1",
  "2001:2::1",
  "2001:10::1",
  "5f00::1",
  "not an address",
])("refuses %s", (address) => expect(mayReach(address, true)).toBe(false));

it.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])("refuses %s unless tests allow it", (address) => {
  expect(mayReach(address)).toBe(false);
  expect(mayReach(address, true)).toBe(true);
});

it.each(["93.184.216.34", "10.1.2.3", "192.168.1.10", "2606:2800:220:1::1"])("allows %s", (address) =>
  expect(mayReach(address)).toBe(true),
);

it("refuses every address of this machine", () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  expect(own.filter(({ internal }) => !internal).length).toBeGreaterThan(0);
  for (const { address } of own) {
    expect(mayReach(address), address).toBe(false);
    if (isIPv4(address)) expect(mayReach(`::ffff:${address}`), address).toBe(false);
  }
});

it.each(["10.1.2.3", "172.20.0.5", "192.168.1.10", "::ffff:192.168.1.10", "100.64.0.1", "fd12:3456::1", "127.0.0.1"])(
  "refuses %s for a service on the public internet",
  (address) => expect(mayReachWorld(address)).toBe(false),
);
it.each(["8.8.8.8", "2606:2800:220:1::1"])("allows %s for a service on the public internet", (address) =>
  expect(mayReachWorld(address)).toBe(true),
);

it("reads a literal address from a URL", async () => {
  expect(await addressesAtEntry(new URL("http://[::1]:80").hostname)).toEqual(["::1"]);
  for (const spelling of ["2130706433", "0x7f000001", "017700000001", "127.1", "0x7f.1", "127.0.0.1."]) {
    expect(await addressesAtEntry(new URL(`http://${spelling}/`).hostname), spelling).toEqual(["127.0.0.1"]);
  }
  expect(await addressesAtEntry(new URL("http://[::ffff:169.254.169.254]/").hostname)).toEqual(["::ffff:a9fe:a9fe"]);
});

it("treats a name whose server never answers as one without an address", async () => {
  const lookup = vi.spyOn(dns, "lookup").mockImplementation((() => undefined) as unknown as typeof dns.lookup);
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  try {
    expect(await addressesAtEntry("slow.example")).toEqual([]);
    expect(timeout).toHaveBeenCalledOnce();
  } finally {
    lookup.mockRestore();
    timeout.mockRestore();
  }
});
