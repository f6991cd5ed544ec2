import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { drawReceipt } from "./receipt-document.ts";

const NOW = "2026-03-02T10:00:00.000Z";
const LINES = 600;

it("lets other requests run while a long receipt is drawn", async () => {
  const charges = Array.from({ length: LINES }, (_, at) => ({
    type: "room" as const,
    createdAt: NOW,
    amountMinor: 100 + at,
    lines: [],
    text: "",
    quantity: null,
    unitMinor: null,
    serviceDate: null,
  }));
  let drawn = false;
  const drawing = drawReceipt(
    {
      reference: "1-1",
      lastEntryId: 1,
      hotel: { name: "Brass Key", legalName: "", taxNumber: "", logoFileId: null, address: "", tel: "" },
      stay: { state: "checked_in", startsAt: NOW, endsAt: "2026-03-05T10:00:00.000Z", cancelledAt: null },
      guests: [{ name: "Ada", nationality: null }],
      customer: null,
      rooms: ["101"],
      charges,
      moves: [],
      chargedMinor: 100,
      paidMinor: 0,
      fromDepositMinor: 0,
      depositHeldMinor: 0,
      owedMinor: 100,
    },
    {
      ...{ number: 1, logo: null, language: "en", timeZone: "Europe/Berlin", hourFormat: "language" },
      ...{ currency: "EUR", now: new Date(NOW) },
    },
  ).finally(() => {
    drawn = true;
  });
  let turns = 0;
  for (; !drawn; turns += 1) await nextTurn();
  expect((await drawing).subarray(0, 5).toString()).toBe("%PDF-");
  // The fastest machines draw some ten lines in one stretch.
  expect(turns).toBeGreaterThan(LINES / 100);
});
