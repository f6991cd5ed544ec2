import { auditListInput } from "@innkey/shared/schemas/compliance";
import { chargeExtraInput } from "@innkey/shared/schemas/folio";
import { reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { cancelReservation, reserve } from "../../desk/public.ts";
import { chargeExtra } from "../../folio/entries/charges.service.ts";
import { issueReceipt } from "../../folio/receipts/issue-receipt.ts";
import { list } from "./audit-list.queries.ts";

const NOW = "2026-11-18T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;

beforeAll(async () => {
  world = await createTestWorld(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  for (const [room, name] of [
    ["608", "Chiara Ferrari"],
    ["12", "Zoë Møller"],
  ] as const) {
    const roomId = await hotel.createRoom(room);
    const period = { unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z" };
    const { stayId } = await reserve(owner, reserveInput.parse({ roomId, ...period, guests: [{ name }] }));
    if (room === "12") await cancelReservation(owner, { stayId });
    else await chargeAndPrint(stayId);
  }
});
afterAll(() => world.close());

async function chargeAndPrint(stayId: number): Promise<void> {
  const minibar = chargeExtraInput.parse({ stayId, text: "Minibar", quantity: 1, unitMinor: 450 });
  const { entryId } = await chargeExtra(owner, minibar);
  await issueReceipt(owner, stayId, entryId);
}

async function entries(input: z.input<typeof auditListInput>, scope = owner) {
  const { rows } = await list(scope, auditListInput.parse(input));
  return rows
    .filter(({ action }) => action === "stay.reserve" || action === "stay.cancel")
    .map(({ action, subject, roomName }) => [action, subject, roomName]);
}

const FERRARI = ["stay.reserve", "Chiara Ferrari", "608"];
const MOLLER = ["stay.reserve", "Zoë Møller", "12"];
const CANCELLED = ["stay.cancel", "Zoë Møller", "12"];

it("names the guest and the room of each entry, and finds them", async () => {
  expect(await entries({})).toEqual([CANCELLED, MOLLER, FERRARI]);
  expect(await entries({ keyword: "moller zoe" })).toEqual([CANCELLED, MOLLER]);
  expect(await entries({ keyword: "608" })).toEqual([FERRARI]);
  expect(await entries({ action: "stay.cancel" })).toEqual([CANCELLED]);
  expect(await entries({ from: "2026-11-18T14:00:00.001Z" })).toEqual([]);
  expect(await entries({ to: "2026-11-18T14:00:00.001Z" })).toHaveLength(3);
  expect(await entries({ keyword: "…" })).toEqual([]);
  expect(await entries({ keyword: "nobody" })).toEqual([]);
});

it("names the guest of an entry on a bill and of a receipt, and finds them by guest and room", async () => {
  const ABOUT = [
    ["folio.extra", "folio_entry"],
    ["receipt.issue", "receipt"],
  ] as const;
  for (const [action, entity] of ABOUT) {
    for (const keyword of ["", "ferrari", "608"]) {
      const { rows } = await list(owner, auditListInput.parse({ keyword, action }));
      expect(rows, `${action} ${keyword}`).toMatchObject([{ entity, subject: "Chiara Ferrari", roomName: "608" }]);
    }
  }
});

it("is read by those who may see the audit, for their hotel only", async () => {
  expect(await entries({ keyword: "chiara" }, await (await world.createHotel()).scope())).toEqual([]);
  const clerk = await hotel.scope("staff", { capabilities: ["stays.view", "rooms.view"] });
  await expect(entries({}, clerk)).rejects.toMatchObject({ code: "no_permission" });
});

it("no longer names a person who was erased", async () => {
  await world.database.prisma.guest.updateMany({
    where: { hotelId: hotel.id, name: "Chiara Ferrari" },
    data: { erasedAt: new Date(NOW) },
  });
  expect(await entries({ action: "stay.reserve" })).toEqual([MOLLER, ["stay.reserve", null, "608"]]);
  expect(await entries({ keyword: "ferrari" })).toEqual([]);
});
