import { describe, expect, it } from "vitest";
import { type DeviceSession, mayPublish, maySubscribe } from "./broker-accounts.ts";

const session = (user: DeviceSession["user"]): DeviceSession => ({
  ...{ user, account: "x", clientId: "x" },
  ...{ maxConnections: 1, maxPacketBytes: 1, maxRetained: { topics: 1, bytes: 1 } },
});
const MINE = "lockd/7/A4C1380000A1";
const lock = session({ kind: "lock", hotelId: 7, mac: "A4:C1:38:00:00:A1" });
const zigbee = session({ kind: "link", hotelId: 7, link: "zigbee2mqtt", base: "z2m/house" });
const home = session({ kind: "link", hotelId: 7, link: "home_assistant", base: "homeassistant" });

describe("a lock", () => {
  it.each(["ack", "event", "status"])("may publish to its %s", (part) =>
    expect(mayPublish(lock, `${MINE}/${part}`)).toBe(true),
  );
  it.each(["command", "event/ack"])("may subscribe to its %s", (part) =>
    expect(maySubscribe(lock, `${MINE}/${part}`)).toBe(true),
  );
  it.each([
    `${MINE}/command`,
    `${MINE}/event/ack`,
    `${MINE}/ha/set`,
    `${MINE}/ha/state`,
    MINE,
    `${MINE}/`,
    "lockd/7/A4C1380000A2/ack",
    "lockd/8/A4C1380000A1/status",
    "lockd/7/A4C1380000A1x/ack",
    "z2m/house/door",
    "homeassistant/lock/x/config",
    "$SYS/x",
  ])("may not publish to %s", (topic) => expect(mayPublish(lock, topic)).toBe(false));
  it.each([
    "#",
    "+/#",
    "lockd/#",
    "lockd/+/+/command",
    "lockd/7/+/command",
    `${MINE}/#`,
    `${MINE}/+`,
    `${MINE}/status`,
    `${MINE}/event`,
    "lockd/7/A4C1380000A2/command",
    "lockd/8/A4C1380000A1/command",
    "$share/x/lockd/7/A4C1380000A1/command",
    "$SYS/#",
  ])("may not subscribe to %s", (topic) => expect(maySubscribe(lock, topic)).toBe(false));
});

describe("zigbee2mqtt", () => {
  it("may use everything below its base topic, and nothing else", () => {
    for (const may of [mayPublish, maySubscribe]) {
      expect(may(zigbee, "z2m/house/door/set")).toBe(true);
      for (const topic of ["z2m/house2/door", "z2m/other", "z2m", `${MINE}/command`, "homeassistant/x"]) {
        expect(may(zigbee, topic), topic).toBe(false);
      }
    }
    expect(maySubscribe(zigbee, "z2m/house/#")).toBe(true);
    expect(maySubscribe(zigbee, "z2m/+/#")).toBe(false);
    expect(maySubscribe(zigbee, "#")).toBe(false);
  });
});

describe("Home Assistant", () => {
  it.each(["homeassistant/#", "homeassistant/status", "lockd/7/+/status", `${MINE}/status`, `${MINE}/ha/state`])(
    "may subscribe to %s",
    (topic) => expect(maySubscribe(home, topic)).toBe(true),
  );
  it.each(["#", "lockd/#", "lockd/7/#", "lockd/7/+/+", "lockd/7/+/command", `${MINE}/event`, "lockd/8/+/status"])(
    "may not subscribe to %s",
    (topic) => expect(maySubscribe(home, topic)).toBe(false),
  );
  it("may request to open its own hotel's doors, and announce itself", () => {
    expect(mayPublish(home, `${MINE}/ha/set`)).toBe(true);
    expect(mayPublish(home, "homeassistant/status")).toBe(true);
    for (const topic of [
      "lockd/8/A4C1380000A1/ha/set",
      `${MINE}/command`,
      `${MINE}/ha/state`,
      "homeassistant/lock/x/config",
    ]) {
      expect(mayPublish(home, topic), topic).toBe(false);
    }
  });
});
