import { expect, it } from "vitest";
import { networkOf, siteNetworksOf } from "./network-of.ts";

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["", ""],
])("%s belongs to the network %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each([
  ["192.0.2.7", null],
  ["::ffff:192.0.2.7", null],
  ["2001:db8:1:2:3:4:5:6", { small: "2001:db8:1:0::/56", large: "2001:db8:1::/48" }],
  ["2001:db8:1:12ff::1", { small: "2001:db8:1:1200::/56", large: "2001:db8:1::/48" }],
])("%s belongs to the site networks %o", (address, networks) => {
  expect(siteNetworksOf(address)).toEqual(networks);
});
