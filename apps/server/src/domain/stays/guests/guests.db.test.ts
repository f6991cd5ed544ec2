import {
  addGuestInput,
  checkInInput,
  guestListInput,
  updateGuestInput,
  updateRegistrationInput,
} from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { addGuest } from "../../desk/add-guest.ts";
import * as stays from "../../desk/public.ts";
import { list as listEntries } from "../../folio/entries/entries.service.ts";
import { detail } from "../../overview/stays.queries.ts";
import { list as listGuests } from "./guest-list.queries.ts";
import { withCards } from "./guests.queries.ts";

const NOW = "2026-11-18T14:00:00.000Z";

const list = (scope: Scope, input: z.input<typeof guestListInput>) => listGuests(scope, guestListInput.parse(input));

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
});
afterAll(() => world.close());

async function booking(...names: string[]) {
  const roomId = await hotel.createRoom(`G${++serial}`);
  const people = names.map((name) => ({ name, documentNumber: `${name} 1` }));
  return checkInInput.parse({ roomId, unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z", guests: people });
}

it("always leaves a stay with a first guest, whichever guests are removed at the same moment", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { stayId } = await stays.checkIn(owner, await booking(...["A", "B", "C"].map((name) => `${name}${serial}`)));
    const [first, second] = (await detail(owner, stayId)).guests;
    if (!first || !second) throw new Error("three guests were checked in");
    await Promise.all([first, second].map(({ stayGuestId }) => stays.removeGuest(owner, stayGuestId)));
    expect((await detail(owner, stayId)).guests).toMatchObject([{ primary: true }]);
  }
});

it("asks for confirmation before a guest has two rooms, even when two desks check the guest in at once", async () => {
  for (let round = 0; round < 5; round += 1) {
    const name = `Twice ${serial}`;
    const inputs = [await booking(name), await booking(name), await booking(name)];
    const outcomes = await Promise.all(
      inputs.map((input) =>
        stays.checkIn(owner, input).then(
          () => "in",
          (error) => error.code,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual(["guest_already_in", "guest_already_in", "in"]);
    expect(await world.database.prisma.guest.count({ where: { name } })).toBe(1);
  }
});

it("keeps a returning guest's data where the desk enters nothing new", async () => {
  const first = await booking("Returning");
  const changedGuests = first.guests.map((guest) => ({ ...guest, mobile: "+49301234567", nationality: "DE" }));
  await stays.reserve(owner, { ...first, guests: changedGuests });
  const { stayId } = await stays.reserve(owner, await booking("Returning"));
  expect((await detail(owner, stayId)).guests).toMatchObject([{ mobile: "+49301234567", nationality: "DE" }]);
  const moved = await booking("Returning");
  const again = moved.guests.map((guest) => ({ ...guest, mobile: "+4940765432" }));
  await stays.reserve(owner, { ...moved, guests: again });
  expect((await detail(owner, stayId)).guests).toMatchObject([{ mobile: "+4940765432", nationality: "DE" }]);
});

it("takes a dash, or a number that was masked, for no document: it is none, and replaces none", async () => {
  const { stayId, stayGuestId } = await stays.checkIn(owner, await booking("Dash"));
  const stored = async () => (await detail(owner, stayId)).guests.map(({ documentNumber }) => documentNumber);
  const number = `DASH1`;
  expect(await stored()).toEqual([number]);
  for (const documentNumber of ["-", " – ", "?", "./-", "•••••H1", "***H1"]) {
    const guest = { name: "Dash", documentNumber };
    await stays.correctGuest(owner, updateGuestInput.parse({ stayGuestId, guest }));
    expect(await stored(), documentNumber).toEqual([number]);
    await stays.updateRegistration(owner, updateRegistrationInput.parse({ stayGuestId, guest, arrival: null }));
    expect(await stored(), documentNumber).toEqual([number]);
    const added = await addGuest(owner, addGuestInput.parse({ stayId, guest: { ...guest, name: "Other" } }));
    expect(await stored(), documentNumber).toEqual([number, ""]);
    await stays.removeGuest(owner, added.stayGuestId);
  }
  await stays.correctGuest(owner, updateGuestInput.parse({ stayGuestId, guest: { name: "Dash", documentNumber: "" } }));
  expect(await stored()).toEqual([""]);
});

it("counts matches even on a page past the last one", async () => {
  await stays.checkIn(owner, await booking("Paged"));
  const far = { page: 9999, pageSize: 20 };
  const [near, past] = [
    await list(owner, { keyword: "", page: 1, pageSize: 20 }),
    await list(owner, { keyword: "", ...far }),
  ];
  expect(near.total).toBeGreaterThan(0);
  expect(past).toEqual({ rows: [], total: near.total });
  const { total, totals } = await listEntries(owner, { page: 1, pageSize: 20 });
  expect(await listEntries(owner, far)).toEqual({ rows: [], total, totals });
});

it("filters by current guests including overdue ones, by either alone, and by one person's id", async () => {
  const { stayGuestId } = await stays.checkIn(owner, await booking("Overdue"));
  const page = { page: 1, pageSize: 200 };
  const ids = ({ rows }: { rows: { stayGuestId: number }[] }) => rows.map((row) => row.stayGuestId);
  world.clock.set("2026-11-20T11:00:00.000Z");
  expect(ids(await list(owner, { keyword: "Overdue", state: "in", ...page }))).toEqual([stayGuestId]);
  expect(ids(await withCards(owner, { keyword: "Overdue", states: ["in"] }, page))).toEqual([]);
  expect(ids(await withCards(owner, { keyword: "Overdue", states: ["in", "expired"] }, page))).toEqual([stayGuestId]);
  world.clock.set(NOW);
  const { rows, total } = await withCards(owner, { keyword: "", stayGuestId }, { page: 1, pageSize: 1 });
  expect({ rows, total }).toMatchObject({
    total: 1,
    rows: [{ stayGuestId, birthDate: null, cardCount: 0, state: "in" }],
  });
  const roomIds = rows.map(({ roomId }) => roomId);
  const clerk = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds });
  expect((await withCards(clerk, { keyword: "", stayGuestId }, page)).rows).toMatchObject([{ cardCount: null }]);
  expect(await withCards(owner, { keyword: "", stayGuestId }, { page: 9, pageSize: 1 })).toEqual({
    rows: [],
    total: 1,
  });
  const elsewhere = await hotel.scope("staff", { capabilities: ["stays.view"] });
  expect(await withCards(elsewhere, { keyword: "", stayGuestId }, page)).toEqual({ rows: [], total: 0 });
});
