import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { call, createRoom, findStay } from "./support/desk.ts";
import { LOCAL_HOSTS } from "./support/requests.ts";
import { launchServer } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

/** Hosts that appear in the shipped files but are never contacted: namespaces and texts. */
const NAMED_ONLY = [
  "www.w3.org",
  "schemas.openxmlformats.org",
  "purl.oclc.org",
  "json-schema.org",
  "react.dev",
  "tailwindcss.com",
  "github.com",
  "locize.com",
  "www.i18next.com",
  "euapi.ttlock.com",
  "simplewebauthn.dev",
  "localhost",
];

test("files sent to browsers fetch from no other host", () => {
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

test("the server makes no request to another host", async ({ browser }, info) => {
  test.setTimeout(120_000);
  const file = info.outputPath("connections.txt");
  const hook = pathToFileURL(fileURLToPath(new URL("support/record-connections.mjs", import.meta.url))).href;
  const password = "brass-key-at-night";
  const server = await launchServer({
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
    (line) => !LOCAL_HOSTS.test(line.replace(/^(lookup|datagram) /, "").replace(/:\d+$/, "")),
  );
  expect(outside).toEqual([]);
});
