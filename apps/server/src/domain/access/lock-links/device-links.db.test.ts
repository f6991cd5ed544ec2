import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { linkUser } from "./device-access.ts";
import { list, remove, save } from "./device-links.service.ts";
import { openSettings } from "./device-links.ts";

const desk = { brokerUrl: "mqtt://house:1883", ownBroker: true, allowLoopback: false };
const TTLOCK = {
  kind: "ttlock" as const,
  baseUrl: "https://8.8.8.8",
  clientId: "client",
  clientSecret: "cloud secret",
  account: "house@example.test",
  password: "cloud password",
};
let world: TestWorld;
let hotel: TestHotel;
let other: TestHotel;

beforeAll(async () => {
  world = await createTestWorld("2026-03-02T10:00:00.000Z");
  hotel = await world.createHotel();
  other = await world.createHotel();
});
afterAll(() => world.close());

const rowOf = (kind: "zigbee2mqtt" | "ttlock" | "home_assistant") =>
  world.database.prisma.deviceLink.findFirst({ where: { hotelId: hotel.id, kind } });
const auditEntry = async () =>
  JSON.stringify(await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } }), (_key, value) =>
    typeof value === "bigint" ? String(value) : value,
  );

it("lists every kind as switched off", async () => {
  const links = await list(await hotel.scope());
  expect(links.map(({ kind, on, settings, callbackPath }) => [kind, on, settings, callbackPath])).toEqual([
    ["zigbee2mqtt", false, {}, null],
    ["ttlock", false, {}, null],
    ["home_assistant", false, {}, null],
  ]);
});

it("shows a broker password once, and stores only its hash", async () => {
  const scope = await hotel.scope();
  const saved = await save(scope, { kind: "zigbee2mqtt", baseTopic: "zigbee2mqtt" }, desk);
  expect(saved).toMatchObject({ kind: "zigbee2mqtt", url: desk.brokerUrl, user: `zigbee2mqtt-${hotel.id}` });
  const { password } = saved;
  const row = await rowOf("zigbee2mqtt");
  expect(row?.accessHash).toEqual(
    new Uint8Array(
      createHash("sha256")
        .update(password ?? "")
        .digest(),
    ),
  );
  const again = await save(scope, { kind: "zigbee2mqtt", baseTopic: "z2m" }, desk);
  expect(again).toMatchObject({ user: `zigbee2mqtt-${hotel.id}`, password: null });
  expect((await rowOf("zigbee2mqtt"))?.accessHash).toEqual(row?.accessHash);
  expect((await list(scope))[0]).toMatchObject({ on: true, settings: { baseTopic: "z2m" } });
  expect(await auditEntry()).not.toContain(password);
});

it("names the user to create at the operator's own broker, the same as in the guide", async () => {
  const saved = await save(
    await hotel.scope(),
    { kind: "home_assistant", prefix: "ha" },
    { ...desk, ownBroker: false },
  );
  const user = `home-assistant-${hotel.id}`;
  expect(saved).toMatchObject({ url: desk.brokerUrl, user, password: null, makeUser: true });
  expect((await list(await hotel.scope())).find(({ kind }) => kind === "home_assistant")).toMatchObject({ user });
  const guide = readFileSync(join(import.meta.dirname, "../../../../../../docs/integrators/locks.md"), "utf8");
  for (const kind of ["zigbee2mqtt", "home_assistant"] as const) {
    expect(guide).toContain(`\nuser ${linkUser(1, kind)}\n`);
  }
  expect(guide).toContain(`     user: ${linkUser(1, "zigbee2mqtt")}\n`);
});

it("stores the cloud's secrets encrypted, never returns them, and sends them to no other address", async () => {
  const scope = await hotel.scope();
  await expect(save(scope, { ...TTLOCK, password: "" }, desk)).rejects.toMatchObject({
    code: "invalid_input",
    fields: { password: { key: "validation.required" } },
  });
  expect(await save(scope, TTLOCK, desk)).toEqual({
    kind: "ttlock",
    url: null,
    user: null,
    password: null,
    makeUser: false,
  });
  const settings = async () => {
    const row = await rowOf("ttlock");
    return row && openSettings(scope.secrets.lock, { ...row, box: row.settingsBox });
  };
  const first = await settings();
  expect(first).toMatchObject({ clientSecret: "cloud secret" });
  await save(scope, { ...TTLOCK, clientId: "client 2", clientSecret: "", password: "" }, desk);
  expect(await settings()).toEqual({ ...first, clientId: "client 2" });
  await expect(
    save(scope, { ...TTLOCK, baseUrl: "https://8.8.4.4", clientSecret: "", password: "" }, desk),
  ).rejects.toMatchObject({ code: "invalid_input" });

  const link = (await list(scope)).find(({ kind }) => kind === "ttlock");
  expect(link).toMatchObject({ settings: { baseUrl: TTLOCK.baseUrl, clientId: "client 2", account: TTLOCK.account } });
  expect(link?.callbackPath).toMatch(/^\/devices\/ttlock\/[\w-]{32}$/);
  const md5 = createHash("md5").update(TTLOCK.password).digest("hex");
  const visibleText = JSON.stringify(link?.settings) + (await auditEntry());
  for (const secret of [TTLOCK.clientSecret, TTLOCK.password, md5, link?.callbackPath?.split("/").at(-1)]) {
    expect(visibleText).not.toContain(secret);
  }
  expect(JSON.stringify((await rowOf("ttlock"))?.settingsBox)).not.toContain(TTLOCK.clientSecret);
});

it.each([
  ["http://127.0.0.1:8080", "webAddressInside"],
  ["http://localhost", "webAddressInside"],
  ["http://[::1]", "webAddressInside"],
  ["http://169.254.169.254/latest", "webAddressInside"],
  ["http://[::ffff:169.254.169.254]", "webAddressInside"],
  ["http://2852039166", "webAddressInside"],
  ["http://10.0.0.1:8080", "webAddressInside"],
  ["https://192.168.1.10", "webAddressInside"],
  ["http://8.8.8.8", "webAddressPlain"],
  ["https://user:pass@8.8.8.8", "unknown"],
])("refuses the address %s", async (baseUrl, reason) => {
  await expect(save(await hotel.scope(), { ...TTLOCK, baseUrl }, desk)).rejects.toMatchObject({
    code: "invalid_input",
    fields: { baseUrl: { key: `validation.${reason}` } },
  });
});

it("accepts a cloud's address only from owners", async () => {
  await expect(save(await hotel.scope("administrator"), TTLOCK, desk)).rejects.toMatchObject({ code: "no_permission" });
});

it.each(["lockd", "lockd/1", "$SYS", "$share/x", "a//b", "/a", "a/"])("refuses the topic %s", async (baseTopic) => {
  await expect(save(await other.scope(), { kind: "zigbee2mqtt", baseTopic }, desk)).rejects.toMatchObject({
    code: "invalid_input",
  });
});

it("refuses topics that contain or lie in those of another link, of any hotel", async () => {
  const scope = await other.scope();
  await save(await hotel.scope(), { kind: "zigbee2mqtt", baseTopic: "house/z2m" }, desk);
  for (const prefix of ["house/z2m", "house", "house/z2m/x"]) {
    await expect(save(scope, { kind: "home_assistant", prefix }, desk)).rejects.toMatchObject({
      code: "address_taken",
    });
  }
  await save(scope, { kind: "home_assistant", prefix: "house/z2m2" }, desk);
  const both = await Promise.allSettled([
    save(scope, { kind: "zigbee2mqtt", baseTopic: "same" }, desk),
    save(await hotel.scope(), { kind: "zigbee2mqtt", baseTopic: "same" }, desk),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

it("suggests a free topic to a second hotel", async () => {
  const [first, second] = [await hotel.scope(), await other.scope()];
  await save(first, { kind: "home_assistant", prefix: "homeassistant" }, desk);
  const refused = await save(second, { kind: "home_assistant", prefix: "homeassistant" }, desk).catch((error) => error);
  expect(refused).toMatchObject({ code: "address_taken", fields: { prefix: { key: "validation.topicTaken" } } });
  const { suggestion } = refused.fields.prefix.params;
  await save(second, { kind: "home_assistant", prefix: suggestion }, desk);
  expect((await list(second)).find(({ kind }) => kind === "home_assistant")?.settings).toEqual({ prefix: suggestion });
});

it("is limited to operators who manage locks, in their own hotel", async () => {
  const clerk = await hotel.scope("staff", { capabilities: ["locks.view", "locks.open"] });
  await expect(list(clerk)).rejects.toMatchObject({ code: "no_permission" });
  await expect(save(clerk, TTLOCK, desk)).rejects.toMatchObject({ code: "no_permission" });
  await expect(remove(clerk, { kind: "ttlock" })).rejects.toMatchObject({ code: "no_permission" });
  const stranger = await other.scope();
  await expect(remove(stranger, { kind: "ttlock" })).rejects.toMatchObject({ code: "not_found" });
  expect((await list(stranger)).find(({ kind }) => kind === "ttlock")).toMatchObject({ on: false, callbackPath: null });
});

it("deletes the account when it is switched off", async () => {
  const scope = await hotel.scope();
  await remove(scope, { kind: "ttlock" });
  expect(await rowOf("ttlock")).toBeNull();
  await expect(remove(scope, { kind: "ttlock" })).rejects.toMatchObject({ code: "not_found" });
});
