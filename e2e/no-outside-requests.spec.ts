import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { call, createRoom, findStay } from "./support/desk.ts";
import { HOTEL_SCREENS, PUBLIC, ROOM_TABS } from "./support/screens.ts";
import { launch } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

/** Hosts of this machine: the console, and the card readers' services that the browser talks to. */
const OF_THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;
/** URL schemes of content that the page creates itself. */
const OF_THE_PAGE = new Set(["data:", "blob:", "about:"]);

test("no screen asks anybody but the console", async ({ page, context, t, enter }) => {
  test.setTimeout(180_000);
  const hosts = new Set<string>();
  context.on("request", (request) => hosts.add(request.url()));
  page.on("websocket", (socket) => hosts.add(socket.url()));
  const look = async (path: string): Promise<void> => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("status", { name: t("common.loading") })).toHaveCount(0);
  };
  for (const path of Object.values(PUBLIC)) await look(path);
  await enter();
  for (const path of Object.values(HOTEL_SCREENS)) await look(path);
  const { rows } = await call<{ rows: { roomId: number }[] }>(page, "query", "guests.list", { state: "in" });
  for (const tab of ROOM_TABS) await look(`/room/${rows[0]?.roomId}?tab=${tab}`);
  const own = new URL(page.url()).host;
  const others = [...hosts]
    .map((url) => new URL(url))
    .filter(({ protocol, host }) => host !== own && !OF_THE_PAGE.has(protocol));
  expect(hosts.size).toBeGreaterThan(100);
  expect(others.filter(({ hostname }) => !OF_THIS_MACHINE.test(hostname)).map(String)).toEqual([]);
  expect(
    others.filter(({ protocol }) => !protocol.startsWith("ws")).map(String),
    "readers are asked by WebSocket",
  ).toEqual([]);
});

/** Hosts that appear in the shipped files but are never contacted: namespaces and texts. */
const NAMED_ONLY = [
  "www.w3.org",
  "schemas.openxmlformats.org",
  "purl.oclc.org",
  "json-schema.org",
  "react.dev",
  "tailwindcss.com",
  "github.com",
  "euapi.ttlock.com",
  "simplewebauthn.dev",
  "localhost",
];

test("what browsers are sent names no other host to fetch from", () => {
  const dist = fileURLToPath(new URL("../apps/web/dist", import.meta.url));
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(js|css|html|svg|json)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(10);
  const hosts = new Set<string>();
  for (const name of files) {
    for (const [, host] of readFileSync(join(dist, name), "utf8").matchAll(
      /\b(?:https?|wss?):\/\/([\w-]+(?:\.[\w-]+)*)/g,
    )) {
      if (host && !NAMED_ONLY.includes(host)) hosts.add(`${name}: ${host}`);
    }
  }
  expect([...hosts]).toEqual([]);
});

test("the server asks nobody outside", async ({ browser }, info) => {
  test.setTimeout(120_000);
  const file = info.outputPath("connections.txt");
  const hook = pathToFileURL(fileURLToPath(new URL("support/record-connections.mjs", import.meta.url))).href;
  const password = "brass-key-at-night";
  const server = await launch({
    env: { NODE_OPTIONS: `--import=${hook}`, CONNECTIONS_FILE: file, DEMO_PASSWORD: password },
  });
  try {
    const context = await browser.newContext({ baseURL: server.url });
    const page = await context.newPage();
    await page.goto("/login");
    await call(page, "mutation", "auth.login", { account: "13800000001", password });
    const roomId = await createRoom(page, "Silent", 10_000);
    const from = new Date();
    const to = new Date(from.getTime() + 26 * 3_600_000);
    const stay = { roomId, unit: "day", startsAt: from.toISOString(), endsAt: to.toISOString(), channel: "card" };
    await call(page, "mutation", "stays.checkIn", {
      ...stay,
      guests: [{ name: "Nobody Calls", email: "no@one.example" }],
    });
    const { id } = await findStay(page, "Nobody Calls");
    const headers = { "x-innkey": "1" };
    const input = { list: "guests", columns: ["name"], format: "xlsx" };
    const exported = await page.request.post("/api/exports", { headers, data: input });
    expect(exported.ok(), await exported.text()).toBe(true);
    await call(page, "mutation", "stays.checkOut", { stayId: id, confirmUnpaid: true });
    await context.close();
  } finally {
    await server.stop();
  }
  const tried = readFileSync(file, "utf8").trim().split("\n");
  expect(tried.length).toBeGreaterThan(5);
  const outside = tried.filter(
    (line) => !OF_THIS_MACHINE.test(line.replace(/^(lookup|datagram) /, "").replace(/:\d+$/, "")),
  );
  expect(outside).toEqual([]);
});
