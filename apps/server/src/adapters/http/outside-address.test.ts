import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, it } from "vitest";
import { addressesOf, mayReach, mayReachWorld } from "./outside-address.ts";

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
  "not an address",
])("refuses %s", (address) => expect(mayReach(address, true)).toBe(false));

it.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])("refuses %s but for tests", (address) => {
  expect(mayReach(address)).toBe(false);
  expect(mayReach(address, true)).toBe(true);
});

it.each(["93.184.216.34", "10.1.2.3", "192.168.1.10", "2606:2800:220:1::1"])("lets %s pass", (address) =>
  expect(mayReach(address)).toBe(true),
);

it("refuses every address of this machine's own", () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  expect(own.filter(({ internal }) => !internal).length).toBeGreaterThan(0);
  for (const { address } of own) {
    expect(mayReach(address), address).toBe(false);
    if (isIPv4(address)) expect(mayReach(`::ffff:${address}`), address).toBe(false);
  }
});

it.each(["10.1.2.3", "172.20.0.5", "192.168.1.10", "::ffff:192.168.1.10", "100.64.0.1", "fd12:3456::1", "127.0.0.1"])(
  "refuses %s for a service out in the world",
  (address) => expect(mayReachWorld(address)).toBe(false),
);
it.each(["8.8.8.8", "2606:2800:220:1::1"])("lets %s pass for one", (address) =>
  expect(mayReachWorld(address)).toBe(true),
);

it("reads a literal address from a URL", async () => {
  expect(await addressesOf(new URL("http://[::1]:80").hostname)).toEqual(["::1"]);
  for (const spelling of ["2130706433", "0x7f000001", "017700000001", "127.1", "0x7f.1", "127.0.0.1."]) {
    expect(await addressesOf(new URL(`http://${spelling}/`).hostname), spelling).toEqual(["127.0.0.1"]);
  }
  expect(await addressesOf(new URL("http://[::ffff:169.254.169.254]/").hostname)).toEqual(["::ffff:a9fe:a9fe"]);
});
