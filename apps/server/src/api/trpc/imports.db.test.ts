import type { ImportColumn } from "@innkey/shared/imports/columns";
import type { Board } from "@innkey/shared/schemas/property/rooms";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "../../../test/harness/browser.ts";
import { createTestServer, failure, type TestServer } from "../../../test/harness/server.ts";

let server: TestServer;
let desk: Browser;
beforeAll(async () => {
  server = await createTestServer();
  const hotel = await server.createHotel({ timeZone: "Europe/Berlin" });
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
});
afterAll(() => server.close());

const ROOM_COLUMNS: ImportColumn[] = ["name", "group", "floor", "mac", "deposit", "usual", "weekend"];
const GUEST_COLUMNS: ImportColumn[] = ["name", "documentNumber", "room", "arrival", "departure", "price"];

it("creates 200 rooms with locks and prices, and checks 150 guests in, from two tables", async () => {
  const rooms = Array.from({ length: 200 }, (_, at) => {
    const floor = String(1 + Math.floor(at / 20));
    const mac = `A4C138${(0x1000 + at).toString(16).padStart(6, "0")}`;
    return [`${floor}${String(at % 20).padStart(2, "0")}`, `Floor ${floor}`, floor, mac, "50", "89,90 €", "99.90"];
  });
  const guests = rooms
    .slice(0, 150)
    .map(([room = ""], at) => [`Guest ${at}`, `D${at}`, room, "01.03.2026", "06.03.2026", at % 2 ? "400" : ""]);
  const hotel = { kind: "rooms" as const, mapping: ROOM_COLUMNS, rows: rooms };
  const book = { kind: "guests" as const, mapping: GUEST_COLUMNS, rows: guests };

  expect(await desk.api.imports.preview.mutate(hotel)).toMatchObject({ problems: [] });
  const built = await desk.api.imports.run.mutate(hotel);
  expect(built.acts.filter((act) => act === "create")).toHaveLength(200);
  expect(built.newGroups).toHaveLength(10);
  expect(await desk.api.imports.preview.mutate(book)).toMatchObject({ problems: [] });
  const filled = await desk.api.imports.run.mutate(book);
  expect(filled.acts.filter((act) => act === "checkIn")).toHaveLength(150);

  const board: Board = (await desk.http("GET", "/api/board")).json();
  expect(board.rooms).toHaveLength(200);
  expect(board.groups).toHaveLength(10);
  expect(board.rooms.filter(({ status }) => status === "checked_in")).toHaveLength(150);
  expect(board.rooms.every(({ lock, usualMinor }) => lock !== null && usualMinor === 8990)).toBe(true);
  expect(board.rooms.find(({ name }) => name === "100")?.current?.guestName).toBe("Guest 0");
}, 120_000);

it("a table of two megabytes is accepted, one of five is not, and other calls keep their limit", async () => {
  const customers = (cell: number) => ({
    kind: "customers" as const,
    mapping: ["name" as const, "note" as const],
    rows: Array.from({ length: 2000 }, (_, at) => [`Customer ${at}`, "x".repeat(cell)]),
  });
  expect((await desk.api.imports.run.mutate(customers(990))).acts).toHaveLength(2000);
  const send = (path: string, payload: string) =>
    desk.http("POST", `/api/trpc/${path}`, { headers: { "content-type": "application/json" }, payload });
  const large = await send("imports.preview", JSON.stringify(customers(2500)));
  expect(large.statusCode).toBe(413);
  expect(large.json()).toMatchObject({ error: { data: { innkey: { code: "file_too_large" } } } });
  const other = await send("customers.save", JSON.stringify({ kind: "person", name: "x".repeat(1_100_000) }));
  expect(other.statusCode).toBe(413);
}, 60_000);

it("refuses input that no form sends", async () => {
  const bad = (input: object) =>
    failure(desk.api.imports.preview.mutate({ kind: "rooms", mapping: ["name"], rows: [["1"]], ...input }));
  for (const input of [
    { mapping: ["name", "name"] },
    { mapping: ["usual"] },
    { mapping: ["birthDate", "name"] },
    { rows: [] },
    { rows: Array.from({ length: 5001 }, () => ["1"]) },
    { rows: [["x".repeat(2001)]] },
  ])
    expect(await bad(input), JSON.stringify(input).slice(0, 80)).toMatchObject({ code: "invalid_input" });
});
