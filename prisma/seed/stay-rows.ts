import type { SecretBox } from "../../apps/server/src/kernel/secret-box.ts";
import type { InstantIso } from "../../packages/shared/src/hotel-time.ts";
import { at } from "./at.ts";
import type { BulkInsert, Row } from "./bulk-insert.ts";
import { makeParties, type Party, type Person } from "./guests.ts";
import type { RoomPlan } from "./hotel-plan.ts";
import type { HotelIds } from "./house-rows.ts";
import { OPERATORS } from "./operators.ts";
import type { Random } from "./random.ts";
import { type EntryPlan, planEntries } from "./stay-money.ts";
import type { HotelPlan, StayPlan } from "./stay-plan.ts";
import { planUnlocks, type UnlockPlan } from "./unlock-plan.ts";

const PARTIES = 230;
const NOTES = [
  "Arrives late, around 22:30",
  "Needs a baby cot",
  "Feather-free bedding",
  "Quiet room, if there is one",
  "Ground floor preferred, walks with a stick",
  "Invoice to the company",
  "Anniversary – a card on the pillow",
  "Parking space booked",
];

interface Written {
  plan: StayPlan;
  stayId: number;
  party: Party;
  stayGuestIds: number[];
  occupancyIds: number[];
  creatorId: number;
}

/**
 * Writes stays with their guests, rooms, money and door records. Ids are reserved first, so that rows can refer to each
 * other.
 */
export class StayRows {
  readonly #written: Written[] = [];

  constructor(
    private readonly bulk: BulkInsert,
    private readonly ids: HotelIds,
    private readonly random: Random,
    private readonly rooms: readonly RoomPlan[],
    private readonly house: HotelPlan,
    private readonly documents: SecretBox,
    private readonly now: InstantIso,
  ) {}

  /** Returns the number of stays. */
  async writeStays(): Promise<number> {
    const { house: hotel } = this;
    const plans = hotel.stays.toSorted((a, b) => compare(a.createdAt, b.createdAt));
    const parties = this.#chooseParties(plans);
    await this.#writeStayRows(plans, parties);
    await this.#writeGuests();
    await this.#writeOccupancies();
    await this.bulk.insert(
      "occupancy",
      hotel.maintenance.map(({ room, ...period }) => ({
        hotelId: this.ids.hotelId,
        roomId: at(this.ids.roomIds, room),
        kind: "maintenance" as const,
        state: "held" as const,
        ...period,
        createdAt: period.startsAt,
      })),
    );
    await this.#writeEntries();
    return plans.length;
  }

  /** Assigns parties to stays such that no one is in two rooms at once; some guests return. */
  #chooseParties(plans: readonly StayPlan[]): Party[] {
    const { random } = this;
    const fresh = makeParties(random, PARTIES, Number(this.now.slice(0, 4)));
    const placed: { party: Party; plan: StayPlan }[] = [];
    return plans.map((plan) => {
      const beds = this.#bedsOf(plan);
      const again = placed.filter(({ party, plan: other }) => party.length <= beds && !meets(plan, other));
      const returning = again.length > 0 && random.chance(0.25) ? random.pick(again).party : undefined;
      const index = fresh.findIndex((party) => party.length <= beds && party.length > (beds > 2 ? 1 : 0));
      const party =
        returning ?? (index >= 0 ? at(fresh.splice(index, 1), 0) : undefined) ?? this.#anyFree(placed, beds, plan);
      placed.push({ party, plan });
      return party;
    });
  }

  #anyFree(parties: readonly { party: Party; plan: StayPlan }[], beds: number, plan: StayPlan): Party {
    const busy = new Set(parties.filter((other) => meets(plan, other.plan)).map(({ party }) => party));
    return this.random.pick(
      parties.map(({ party }) => party).filter((party) => party.length <= beds && !busy.has(party)),
    );
  }

  #bedsOf(plan: StayPlan): number {
    const groups = plan.occupancies.map(({ room }) => at(this.rooms, room).group);
    if (groups.includes("single")) return 1;
    return groups.every((group) => group === "family") ? 4 : 2;
  }

  async #writeStayRows(plans: readonly StayPlan[], parties: readonly Party[]): Promise<void> {
    const { bulk } = this;
    const { hotelId } = this.ids;
    const { random } = this;
    const stayIds = await bulk.ids("stay", plans.length);
    const rows = plans.map((plan, i): Row<"stay"> => {
      const creatorId = this.#deskOperator(plan);
      this.#written.push({
        plan,
        stayId: at(stayIds, i),
        party: at(parties, i),
        stayGuestIds: [],
        occupancyIds: [],
        creatorId,
      });
      const { state, unit, startsAt, endsAt, checkedInAt, checkedOutAt, cancelledAt, createdAt } = plan;
      const room = at(this.rooms, plan.occupancies[0]?.room ?? 0);
      return {
        id: at(stayIds, i),
        hotelId,
        state,
        unit,
        startsAt,
        endsAt,
        checkedInAt,
        checkedOutAt,
        cancelledAt,
        createdAt,
        depositMinor: checkedInAt ? room.prices.depositMinor : 0,
        breakfast: unit !== "hour" && random.chance(0.55),
        otherInformation: random.chance(0.14) ? random.pick(NOTES) : "",
        disableOldCards: true,
        idCardMatch: random.chance(0.06),
        customerId: random.chance(0.2) ? random.pick(this.ids.customerIds) : null,
        createdById: creatorId,
      };
    });
    await bulk.insert("stay", rows);
  }

  /** Returns a desk operator who may see the stay's rooms. */
  #deskOperator(plan: StayPlan): number {
    const names = plan.occupancies.map(({ room }) => at(this.rooms, room).name);
    const able = OPERATORS.flatMap(({ desk, role, rooms }, i) =>
      desk && (role !== "staff" || names.every((name) => rooms.includes(name))) ? [at(this.ids.operatorIds, i)] : [],
    );
    return this.random.pick(able);
  }

  async #writeGuests(): Promise<void> {
    const { bulk } = this;
    const { hotelId } = this.ids;
    const firstSeen = new Map<Person, InstantIso>();
    for (const { party, plan } of this.#written) {
      for (const person of party) if (!firstSeen.has(person)) firstSeen.set(person, plan.createdAt);
    }
    const people = [...firstSeen.keys()];
    const guestIds = await bulk.ids("guest", people.length);
    const guestId = new Map(people.map((person, i) => [person, at(guestIds, i)]));
    await bulk.insert(
      "guest",
      people.map(({ documentNumber, ...person }, i) => ({
        ...person,
        id: at(guestIds, i),
        hotelId,
        documentNumberBox: documentNumber
          ? this.documents.seal(documentNumber, { column: "guest.document_number_box", hotelId, row: at(guestIds, i) })
          : null,
        documentNumberHash: documentNumber ? this.documents.fingerprint(documentNumber) : null,
        createdAt: firstSeen.get(at(people, i)) ?? this.now,
      })),
    );
    const links = this.#written.flatMap((written) =>
      written.party.map((person, i) => ({ written, person, primary: i === 0 })),
    );
    const linkIds = await bulk.ids("stay_guest", links.length);
    await bulk.insert(
      "stay_guest",
      links.map(({ written, person, primary }, i) => {
        written.stayGuestIds.push(at(linkIds, i));
        const { stayId, plan } = written;
        return {
          id: at(linkIds, i),
          hotelId,
          stayId,
          guestId: guestId.get(person) ?? 0,
          primary,
          createdAt: plan.createdAt,
        };
      }),
    );
  }

  async #writeOccupancies(): Promise<void> {
    const { bulk } = this;
    const { hotelId } = this.ids;
    const all = this.#written.flatMap((written) =>
      written.plan.occupancies.map((occupancy, index) => ({ written, occupancy, index })),
    );
    const ids = await bulk.ids("occupancy", all.length);
    await bulk.insert(
      "occupancy",
      all.map(({ written, occupancy: { room, state, startsAt, endsAt }, index }, i) => {
        written.occupancyIds.push(at(ids, i));
        const { stayId, plan } = written;
        const createdAt = index === 0 ? plan.createdAt : startsAt;
        return {
          id: at(ids, i),
          hotelId,
          roomId: at(this.ids.roomIds, room),
          stayId,
          kind: "stay" as const,
          state,
          startsAt,
          endsAt,
          createdAt,
        };
      }),
    );
  }

  async #writeEntries(): Promise<void> {
    const { bulk } = this;
    const { hotelId } = this.ids;
    const all = this.#written
      .flatMap((written) => planEntries(this.random, written.plan, this.rooms).map((entry) => ({ written, entry })))
      .toSorted((a, b) => compare(a.entry.createdAt, b.entry.createdAt));
    const ids = await bulk.ids("folio_entry", all.length);
    const idOf = new Map<EntryPlan, number>(all.map(({ entry }, i) => [entry, at(ids, i)]));
    const entryId = (entry: EntryPlan): number => idOf.get(entry) ?? 0;
    await bulk.insert(
      "folio_entry",
      all.map(({ written: { stayId, creatorId }, entry }) => ({
        id: entryId(entry),
        hotelId,
        stayId,
        type: entry.type,
        amountMinor: entry.amountMinor,
        channel: entry.channel,
        refundsEntryId: entry.refunds ? entryId(entry.refunds) : null,
        operatorId: creatorId,
        createdAt: entry.createdAt,
      })),
    );
    await bulk.insert(
      "folio_entry_line",
      all.flatMap(({ written, entry }) =>
        entry.lines.map(({ line, occupancy }) => ({
          ...line,
          hotelId,
          entryId: entryId(entry),
          occupancyId: at(written.occupancyIds, occupancy),
        })),
      ),
    );
    await bulk.insert(
      "ledger_entry",
      all.flatMap(({ entry }) =>
        entry.entries.map((line) => ({ ...line, hotelId, entryId: entryId(entry), createdAt: entry.createdAt })),
      ),
    );
  }

  async writeUnlocks(): Promise<number> {
    const { hotelId } = this.ids;
    const [owner, , , desk, , lower, upper] = this.ids.operatorIds;
    const byRoom = new Map<number, UnlockPlan[]>();
    for (const { plan, stayGuestIds } of this.#written) {
      for (const { room, state, startsAt, endsAt } of plan.occupancies) {
        if (state === "held" || state === "cancelled" || !plan.checkedInAt) continue;
        const visit = { startsAt: startsAt > plan.checkedInAt ? startsAt : plan.checkedInAt, endsAt, stayGuestIds };
        const housekeeperId = (at(this.rooms, room).floor <= 3 ? lower : upper) ?? 0;
        const staff = { housekeeperId, deskId: desk ?? owner ?? 0 };
        byRoom.set(room, [...(byRoom.get(room) ?? []), ...planUnlocks(this.random, visit, staff, this.now)]);
      }
    }
    const rows = [...byRoom].flatMap(([room, plans]) =>
      plans
        .toSorted((a, b) => compare(a.at, b.at))
        .map((plan, i) => ({
          ...plan,
          hotelId,
          roomId: at(this.ids.roomIds, room),
          lockId: at(this.ids.lockIds, room),
          // Below the event numbers of a real lock that is connected to the demo later, which start at 1.
          lockSeq: i + 1 - plans.length,
        })),
    );
    await this.bulk.insert(
      "unlock_record",
      rows.toSorted((a, b) => compare(a.at, b.at)),
    );
    return rows.length;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const meets = (a: StayPlan, b: StayPlan): boolean => a.startsAt < b.endsAt && b.startsAt < a.endsAt;
