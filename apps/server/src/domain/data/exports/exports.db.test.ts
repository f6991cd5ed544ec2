import { LANGUAGES } from "@innkey/shared/languages";
import { fileColumns, LIST_NAMES, LISTS, type ListName } from "@innkey/shared/lists";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWorkbook } from "../../../../test/clients/workbook.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import { someFactors } from "../../../../test/harness/two-step.ts";

let server: TestServer;
let seeded: SeededHotel;
beforeAll(async () => {
  server = await createTestServer();
  seeded = await seedTestHotel(server, "Sorrel");
});
afterAll(() => server.close());

const columnsOf = (list: ListName): string[] => (list in LISTS ? fileColumns(list) : []);

function ask(desk: Browser, input: { list: ListName } & Record<string, unknown>, language = "en") {
  const payload = JSON.stringify({ columns: columnsOf(input.list), format: "csv", ...input });
  return desk.http("POST", "/api/exports", { headers: { "content-type": "application/json", language }, payload });
}

/** Returns the cells of unquoted lines. */
async function cells(input: { list: ListName } & Record<string, unknown>, desk = seeded.ownerDesk) {
  const answer = await ask(desk, input);
  expect(answer.statusCode).toBe(200);
  return answer.body
    .slice(1)
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
}

/** Hides what differs from run to run: times, device and card numbers, and the owner's name and phone. */
const withoutChance = (line: string): string =>
  line
    .replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})?/g, "<time>")
    .replace(/\b([0-9A-F]{2}:){5}[0-9A-F]{2}\b/gi, "<mac>")
    .replace(/\b[0-9A-F]{8}\b/g, "<card>")
    .replace(/\bowner \d+/g, "<owner>")
    .replace(/\b139\d{8}\b/g, "<phone>");

describe("the files of every list", () => {
  it.each(LIST_NAMES)("%s has its columns in their order, with their headings in every language", async (list) => {
    const columns = (await ask(seeded.ownerDesk, { list, page: { page: 1, pageSize: 1 } })).body.slice(1).split("\r\n");
    expect(list === "audit" ? columns[0] : withoutChance(columns.join("\n"))).toMatchSnapshot("columns and a row");
    const headings: Record<string, string> = {};
    for (const { code } of LANGUAGES) {
      const { body } = await ask(seeded.ownerDesk, { list, page: { page: 1_000_000, pageSize: 1 } }, code);
      headings[code] = body.slice(1).trimEnd();
    }
    expect(headings).toMatchSnapshot("headings");
  });
});

describe("every list", () => {
  it.each(LIST_NAMES)("%s is written as CSV and as a workbook with the same rows", async (list) => {
    const csv = await ask(seeded.ownerDesk, { list });
    expect([csv.statusCode, csv.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(csv.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const xlsx = await ask(seeded.ownerDesk, { list, format: "xlsx" });
    expect(xlsx.statusCode).toBe(200);
    const [sheet = []] = readWorkbook(xlsx.rawPayload).sheets;
    expect(sheet[0]).toHaveLength(columnsOf(list).length);
    if (list !== "audit") expect(sheet).toHaveLength(csv.body.trimEnd().split("\r\n").length);
    const empty = ["unlocks", "breakfast"];
    if (!empty.includes(list)) expect(sheet.length).toBeGreaterThan(1);
    // A missing translation would appear as its key.
    if (list !== "audit") expect(csv.body).not.toMatch(/(^|,)[a-z][A-Za-z]+\.[a-z][A-Za-z_.]+(,|\r|$)/m);
  });

  it("is refused to operators who cannot see it or cannot export", async () => {
    const { hotel } = seeded;
    const clerk = await server.loginAs(
      await server.createOperator(hotel, { role: "staff", capabilities: ["stays.view", "exports.make"] }),
    );
    for (const list of LIST_NAMES) {
      const answer = await ask(clerk, { list });
      expect([list, answer.statusCode]).toEqual([list, LISTS[list].capability === "stays.view" ? 200 : 403]);
    }
    expect((await ask(seeded.ownerDesk, { list: "guests" })).statusCode).toBe(200);
    const reader = await server.loginAs(
      await server.createOperator(hotel, { role: "staff", capabilities: ["stays.view"] }),
    );
    expect((await ask(reader, { list: "guests" })).json()).toMatchObject({ code: "no_permission" });
    expect((await ask(server.visitor(), { list: "guests" })).statusCode).toBe(401);
  });

  it("shows staff their rooms only, and nothing of other hotels", async () => {
    const capabilities = ["exports.make", "rooms.view", "stays.view", "unlocks.view", "locks.view"] as const;
    const roomIds = [seeded.ids.freeRoomId];
    const clerk = await server.loginAs(
      await server.createOperator(seeded.hotel, { role: "staff", capabilities: [...capabilities], roomIds }),
    );
    const name = ["name"];
    expect(await cells({ list: "rooms", columns: name }, clerk)).toEqual([["Room"], ["Sorrel 102"]]);
    expect(await cells({ list: "locks", columns: ["room"] }, clerk)).toEqual([["Room"], ["Sorrel 102"]]);
    expect(await cells({ list: "guests", columns: ["room"] }, clerk)).toEqual([["Room"], ["Sorrel 102"]]);
    expect(await cells({ list: "unlocks", columns: ["room"] }, clerk)).toEqual([["Room"]]);
    const filters = { roomId: seeded.ids.roomId };
    expect((await ask(clerk, { list: "unlocks", filters })).json()).toMatchObject({ code: "not_found" });
    const stranger = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
    for (const list of LIST_NAMES) expect((await ask(stranger, { list })).body).not.toContain("Sorrel");
    const { lockId, stayGuestId } = seeded.ids;
    for (const of of [filters, { lockId }, { stayGuestId }]) {
      expect((await ask(stranger, { list: "unlocks", filters: of })).json()).toMatchObject({ code: "not_found" });
    }
  });
});

describe("the contents of the file", () => {
  it("match the screen with its filters, its order and the requested page", async () => {
    const columns = ["name", "state"];
    expect(await cells({ list: "guests", columns })).toEqual([
      ["Name", "Status"],
      ["Sorrel guest", "Due in"],
      ["Sorrel guest", "In house"],
    ]);
    expect(await cells({ list: "guests", columns, filters: { state: "in" } })).toHaveLength(2);
    const page = { page: 2, pageSize: 1 };
    expect(await cells({ list: "guests", columns: ["state", "name"], page })).toEqual([
      ["Status", "Name"],
      ["In house", "Sorrel guest"],
    ]);
    expect(await cells({ list: "guests", columns, page: { page: 9, pageSize: 20 } })).toHaveLength(1);
    const ids = [seeded.ids.freeRoomId, seeded.ids.roomId];
    expect(await cells({ list: "rooms", columns: ["name"], filters: { ids } })).toEqual([
      ["Room"],
      ["Sorrel 102"],
      ["Sorrel 101"],
    ]);
  });

  it("tell which members of staff use two-step login", async () => {
    const clerks = [1, 2].map(() => server.createOperator(seeded.hotel, { role: "staff" }));
    const [withOne, without] = await Promise.all(clerks);
    const ids = [withOne?.id ?? 0, without?.id ?? 0];
    await someFactors(server, ids[0] ?? 0, "00000000-0000-4000-8000-0000000000e1");
    expect(await cells({ list: "staff", columns: ["twoStep"], filters: { ids } })).toEqual([
      ["Two-step sign-in"],
      ["On"],
      ["Off"],
    ]);
    const german = { list: "staff", columns: ["twoStep"], filters: { ids } } as const;
    expect((await ask(seeded.ownerDesk, german, "de")).body).toMatch(
      /^\uFEFFAnmeldung in zwei Schritten\r\nEin\r\nAus/,
    );
  });

  it("mask document numbers as on the screen, and never contain codes", async () => {
    await seeded.ownerDesk.api.guests.update.mutate({
      stayGuestId: seeded.ids.stayGuestId,
      guest: { name: "Sorrel guest", documentType: "passport", documentNumber: "C01X00T47", mobile: "", email: "" },
    });
    const columns = ["documentNumber"];
    expect(await cells({ list: "guests", columns, filters: { state: "in" } })).toEqual([
      ["Document number"],
      ["C01X00T47"],
    ]);
    const clerk = await server.loginAs(
      await server.createOperator(seeded.hotel, {
        role: "staff",
        capabilities: ["stays.view", "exports.make"],
        roomIds: [seeded.ids.roomId],
      }),
    );
    expect(await cells({ list: "guests", columns }, clerk)).toEqual([["Document number"], ["•••••••47"]]);
    const { code } = await seeded.ownerDesk.api.passcodes.reveal.mutate({ passcodeId: seeded.ids.passcodeId });
    for (const list of ["passcodes", "audit", "unlocks"] as const) {
      expect((await ask(seeded.ownerDesk, { list })).body).not.toContain(code);
    }
  });

  it("are in the console's language, with money as numbers of the currency", async () => {
    const german = await ask(seeded.ownerDesk, { list: "folio", columns: ["type", "amount"] }, "de");
    expect(german.body).toMatch(/^\uFEFFArt,Betrag\r\n/);
    const amounts = await cells({ list: "folio", columns: ["amount"] });
    expect(amounts.slice(1).flat()).toEqual(expect.arrayContaining(["200.00"]));
    for (const [amount = ""] of amounts.slice(1)) expect(amount).toMatch(/^-?\d+\.\d\d$/);
    const book = readWorkbook(
      (await ask(seeded.ownerDesk, { list: "folio", columns: ["amount"], format: "xlsx" })).rawPayload,
    );
    expect(book.sheets[0]?.flat()).toContain(200);
  });

  it("show where a withdrawal went, including one from several channels", async () => {
    const { balance, folio } = seeded.ownerDesk.api;
    await balance.setAccount.mutate({ type: "bank", name: "Harbour Ltd", number: "DE02120300000000202051" });
    await folio.recharge.mutate({ amountMinor: 700, channel: "card" });
    await folio.recharge.mutate({ amountMinor: 90_000_000, channel: "cash" });
    await folio.withdraw.mutate({ amountMinor: 90_000_000, repeatedMinor: 90_000_000 });
    const { body } = await ask(seeded.ownerDesk, { list: "folio", columns: ["type", "channel", "amount"] });
    expect(body).toContain('Withdrawal,"Harbour Ltd, •••• 2051",-900000.00\r\n');
  });

  it("have the requested file name, or one of list and day, without characters that some computers refuse", async () => {
    const nameOf = async (fileName: string): Promise<string> => {
      const { headers } = await ask(seeded.ownerDesk, { list: "guests", fileName });
      const encoded = /filename\*=UTF-8''(.+)$/.exec(String(headers["content-disposition"]))?.[1] ?? "";
      return decodeURIComponent(encoded);
    };
    expect(await nameOf("")).toBe("Guests 2026-03-02.csv");
    expect(await nameOf("März 宾客.csv")).toBe("März 宾客.csv");
    expect(await nameOf('../..\\etc/"pass"wd')).toBe("etc pass wd.csv");
    expect(await nameOf("con")).toBe("_con.csv");
  });

  it("are refused for columns and filters that the list does not have", async () => {
    const refused = async (input: Record<string, unknown>) =>
      (await ask(seeded.ownerDesk, { list: "guests", ...input })).json();
    expect(await refused({ columns: ["name", "secret"] })).toMatchObject({ fields: { columns: {} } });
    expect(await refused({ columns: ["name", "name"] })).toMatchObject({ code: "invalid_input" });
    expect(await refused({ columns: ["constructor"] })).toMatchObject({ code: "invalid_input" });
    expect(await refused({ filters: { state: "everyone" } })).toMatchObject({ fields: { state: {} } });
    expect(await refused({ format: "exe" })).toMatchObject({ code: "invalid_input" });
    expect(await refused({ list: "secrets" as ListName, columns: ["x"] })).toMatchObject({
      code: "invalid_input",
    });
  });

  it("are recorded with list, columns, filter names and row count, but without the search terms", async () => {
    await ask(seeded.ownerDesk, { list: "guests", columns: ["name"], filters: { keyword: "C01X00T47", state: "in" } });
    const { rows } = await seeded.ownerDesk.api.audit.list.query({ limit: 1 });
    expect(rows[0]).toMatchObject({
      action: "export.make",
      after: { list: "guests", format: "csv", columns: ["name"], filters: { keyword: "•••", state: "in" }, rows: 1 },
    });
    expect(JSON.stringify(rows[0])).not.toContain("C01X");
  });
});
