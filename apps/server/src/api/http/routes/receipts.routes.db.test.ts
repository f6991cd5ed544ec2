import type { Capability } from "@innkey/shared/capabilities";
import { LANGUAGES } from "@innkey/shared/languages";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

let server: TestServer;
let hotel: TestHotel;
let desk: Browser;
let roomId: number;
let stayId: number;

const GUESTS = ["Ada Lovelace", "محمد عبد الله", "王小明", "刘德华", "山田 太郎", "김철수", "Екатерина Иванова"];

const CUSTOMER = { kind: "company" as const, name: "Harbour Trading", mobile: "", email: "" };

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel({ name: "Brass Key", timeZone: "Europe/Berlin" });
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  ({ roomId } = await desk.api.rooms.save.mutate({ name: "Suite 7", groupId: null, lock: null }));
  const prices = { depositMinor: 20_000, usualMinor: 12_350, weekendMinor: 12_350 };
  await desk.api.rooms.setPrices.mutate({ roomIds: [roomId], prices });
  const now = server.clock.now().getTime();
  ({ stayId } = await desk.api.stays.checkIn.mutate({
    roomId,
    unit: "day",
    startsAt: new Date(now).toISOString(),
    endsAt: new Date(now + 3 * 86_400_000).toISOString(),
    guests: GUESTS.map((name, index) => ({ name, nationality: index === 0 ? "IT" : null })),
  }));
  await desk.api.folio.pay.mutate({ stayId, amountMinor: 20_000, channel: "card" });
});
afterAll(() => server.close());

const get = (query = "", browser = desk, stay: unknown = stayId) =>
  browser.http("GET", `/api/receipts/${stay}.pdf${query}`);

async function storeLogo(png: Buffer): Promise<string> {
  const boundary = "logo";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="l.png"\r\ncontent-type: image/png\r\n\r\n`;
  const { body, statusCode } = await desk.http("POST", "/api/files?kind=logo", {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), png, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  expect(statusCode).toBe(201);
  return (JSON.parse(body) as { id: string }).id;
}

interface ReadReceipt {
  text: string;
  language: string | null;
  bytes: number;
}

/** Fetches the receipt and returns its text in drawing order, its language and its size. */
async function readReceipt(query: string, browser = desk): Promise<ReadReceipt> {
  const response = await get(query, browser);
  expect(response.statusCode).toBe(200);
  const task = getDocument({ data: new Uint8Array(response.rawPayload), verbosity: 0 });
  const pdf = await task.promise;
  const pages = Array.from({ length: pdf.numPages }, (_, index) => pdf.getPage(index + 1));
  const contents = await Promise.all(pages.map(async (page) => (await page).getTextContent()));
  const items = contents.flatMap(({ items }) => items);
  const text = items.map((item) => ("str" in item ? item.str : "")).join("");
  const { info } = await pdf.getMetadata();
  await task.destroy();
  const language = "Language" in info ? String(info.Language) : null;
  return { text: text.normalize("NFKC"), language, bytes: response.rawPayload.length };
}

describe("a receipt", () => {
  it("shows what was charged, paid, held and owed, to the last cent", async () => {
    const { money } = await desk.api.stays.detail.query({ stayId });
    expect(money).toMatchObject({
      chargedMinor: 37_050,
      paidMinor: 20_000,
      owedMinor: 17_050,
      depositHeldMinor: 20_000,
    });
    const { text } = await readReceipt("?language=en");
    for (const part of ["Brass Key", "Suite 7", "3 nights", "€123.50", "Total €370.50", "Card €200.00"]) {
      expect(text).toContain(part);
    }
    expect(text).toContain("Charged €370.50Paid €200.00Outstanding €170.50Deposit held €200.00");
    // 10:00 UTC is 11:00 in the hotel.
    expect(text).toMatch(/2 March 2026 at 11:00/);
  });

  const WRITINGS = ["en", "German", "Russian", "Arabic", "chs", "chsTW", "Japanese", "Korean"];
  const printableLanguages = LANGUAGES.filter(({ code }) => WRITINGS.includes(code));
  it.each(printableLanguages.map(({ code, tag }) => [code, tag] as const))("is written in %s", async (code, tag) => {
    const { text, language, bytes } = await readReceipt(`?language=${code}`);
    expect(language).toBe(tag);
    const figure = new Intl.NumberFormat(tag, { minimumFractionDigits: 2 }).format(170.5);
    expect(text).toContain(figure.normalize("NFKC"));
    for (const name of GUESTS.filter((one) => !/\p{Script=Arabic}/u.test(one))) expect(text).toContain(name);
    expect(text).toMatch(/\p{Script=Arabic}{4}/u);
    expect(bytes).toBeLessThan(100_000);
  });

  it("writes times of day with the hours that the hotel chose", async () => {
    const { api } = desk;
    const current = await api.hotel.get.query();
    expect((await readReceipt("?language=en")).text).toMatch(/2 March 2026 at 11:00/);
    await api.hotel.update.mutate({ ...current, hourFormat: "h12" });
    expect((await api.auth.me.query()).hotel.hourFormat).toBe("h12");
    expect((await readReceipt("?language=en")).text).toMatch(/2 March 2026 at 11:00 am/);
    expect((await readReceipt("?language=German")).text).toMatch(/um 11:00 AM/);
    await api.hotel.update.mutate(current);
  });

  it("is in the guest's language unless another is asked for", async () => {
    expect((await readReceipt("")).language).toBe("it");
  });

  it("is sent as a file that must not be cached", async () => {
    const { headers } = await get();
    expect(headers["content-type"]).toBe("application/pdf");
    expect(headers["content-disposition"]).toMatch(/^inline; filename="receipt-\d+\.pdf"$/);
    expect(headers["cache-control"]).toBe("no-store");
  });

  it("names the customer only to operators who can see customers", async () => {
    const { id: customerId } = await desk.api.customers.save.mutate(CUSTOMER);
    await server.database.prisma.stay.update({ where: { id: stayId }, data: { customerId } });
    const staff = async (...capabilities: Capability[]) =>
      server.loginAs(await server.createOperator(hotel, { role: "staff", capabilities, roomIds: [roomId] }));
    const namesIt = async (browser: Browser) =>
      (await readReceipt("?language=en", browser)).text.includes(CUSTOMER.name);
    expect(await namesIt(await staff("folio.view", "customers.view"))).toBe(true);
    expect(await namesIt(await staff("folio.view"))).toBe(false);
  });

  it("names the business that issues it, its logo, and the business that pays", async () => {
    const { api } = desk;
    const logo = await sharp({ create: { width: 300, height: 100, channels: 4, background: "#b8862b" } })
      .png()
      .toBuffer();
    const plain = await readReceipt("?language=en");
    const logoFileId = await storeLogo(logo);
    const current = await api.hotel.get.query();
    const business = { legalName: "Harbour Hotels Ltd", taxNumber: "DE 123 456 789", logoFileId };
    await api.hotel.update.mutate({ ...current, ...business });
    const customer = { ...CUSTOMER, address: "Quay 1\n20457 Hamburg", taxNumber: "DE 987 654 321" };
    const { id: customerId } = await api.customers.save.mutate(customer);
    await server.database.prisma.stay.update({ where: { id: stayId }, data: { customerId } });
    const { text, bytes } = await readReceipt("?language=en");
    for (const part of ["Brass Key", "Harbour Hotels Ltd", "Tax number: DE 123 456 789"]) expect(text).toContain(part);
    for (const part of ["Quay 1", "20457 Hamburg", "Tax number: DE 987 654 321"]) expect(text).toContain(part);
    expect(bytes).toBeGreaterThan(plain.bytes);
    const clerk = await server.loginAs(
      await server.createOperator(hotel, { role: "staff", capabilities: ["folio.view"], roomIds: [roomId] }),
    );
    expect((await readReceipt("?language=en", clerk)).text).not.toContain("Quay 1");
    await expect(api.hotel.update.mutate({ ...current, logoFileId: crypto.randomUUID() })).rejects.toThrow();
  });

  it("keeps its running number until the bill changes, and then gets the next one", async () => {
    const numberOf = async (browser = desk) => {
      const name = /receipt-([\d-]+)\.pdf/.exec(
        String((await get("?language=en", browser)).headers["content-disposition"]),
      );
      return name?.[1] ?? "";
    };
    const viewer = await server.loginAs(
      await server.createOperator(hotel, { role: "staff", capabilities: ["folio.view"], roomIds: [roomId] }),
    );
    const extra = { text: "Minibar", quantity: 2, unitMinor: 450 };
    await desk.api.folio.chargeExtra.mutate({ stayId, ...extra });
    expect(await numberOf(viewer), "nobody issued it yet").toMatch(/^\d+-\d+$/);
    const first = Number(await numberOf());
    expect([await numberOf(), await numberOf(viewer)]).toEqual([String(first), String(first)]);
    await desk.api.folio.chargeExtra.mutate({ stayId, ...extra, text: "Parking", quantity: 1 });
    const all = await Promise.all(Array.from({ length: 6 }, () => numberOf()));
    expect(new Set(all)).toEqual(new Set([String(first + 1)]));
    const { text } = await readReceipt("?language=en");
    expect(text).toContain(`No. ${first + 1}`);
    expect(text).toContain("2 × Minibar €4.50 €9.00");
    const numbers = await server.database.prisma.receipt.findMany({ where: { hotelId: hotel.id } });
    expect(numbers.map(({ number }) => number).sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
    const issued = { hotelId: hotel.id, action: "receipt.issue" };
    expect(await server.database.prisma.auditEntry.count({ where: issued })).toBe(numbers.length);
  });

  it("is refused for an unknown language, stay or file type", async () => {
    expect((await get("?language=Klingon")).json()).toMatchObject({ code: "invalid_input" });
    for (const stay of ["x", "0", "-1", "99999999999", "1.pdf"]) {
      expect((await get("", desk, stay)).json(), stay).toMatchObject({ code: "not_found" });
    }
  });

  it("is refused to strangers", async () => {
    const staff = async (capabilities: "folio.view"[], roomIds: number[]) =>
      server.loginAs(await server.createOperator(hotel, { role: "staff", capabilities, roomIds }));
    const foreign = await server.createOperator(await server.createHotel(), { role: "owner" });
    expect((await get("", server.visitor())).json()).toMatchObject({ code: "session_missing" });
    expect((await get("", await server.loginAs(foreign))).statusCode).toBe(404);
    expect((await get("", await staff(["folio.view"], []))).statusCode).toBe(404);
    expect((await get("", await staff([], [roomId]))).json()).toMatchObject({ code: "no_permission" });
    expect((await get("", await staff(["folio.view"], [roomId]))).statusCode).toBe(200);
  });
});
