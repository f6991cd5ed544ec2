import { addDays, atLocal, type InstantIso, localDate } from "../../packages/shared/src/hotel-time.ts";
import { at } from "./at.ts";
import type { BulkInsert, Row } from "./bulk-insert.ts";
import { CARD_READERS } from "./card-readers.ts";
import { GROUP_NAMES, GROUPS, HOTEL, type RoomPlan } from "./hotel-plan.ts";
import { CUSTOMERS, OPERATORS } from "./operators.ts";
import type { Random } from "./random.ts";

const POWER_DAYS = 60;
const OPEN_DAYS = 430;

/** Ids that the rest of the demo refers to, each list in the order of its plan. */
export interface HotelIds {
  hotelId: number;
  roomIds: number[];
  lockIds: number[];
  operatorIds: number[];
  customerIds: number[];
}

export interface HotelInput {
  random: Random;
  rooms: readonly RoomPlan[];
  /** indexes of the rooms that are not cleaned yet */
  dirty: ReadonlySet<number>;
  now: InstantIso;
  passwordHash: string;
}

/** Writes the hotel, its rooms with locks and prices, its staff and its customers. */
export async function writeHotel(bulk: BulkInsert, input: HotelInput): Promise<HotelIds> {
  const rows = new HotelRows(bulk, input);
  return rows.write();
}

class HotelRows {
  private readonly random: Random;
  private readonly rooms: readonly RoomPlan[];
  private readonly dirty: ReadonlySet<number>;
  private readonly now: InstantIso;
  private readonly passwordHash: string;
  private readonly opened: InstantIso;
  private hotelId = 0;
  #roomIds: number[] = [];
  #lockIds: number[] = [];
  #operatorIds: number[] = [];
  #customerIds: number[] = [];

  constructor(
    private readonly bulk: BulkInsert,
    { random, rooms, dirty, now, passwordHash }: HotelInput,
  ) {
    this.random = random;
    this.rooms = rooms;
    this.dirty = dirty;
    this.now = now;
    this.passwordHash = passwordHash;
    this.opened = atLocal(addDays(localDate(now, HOTEL.timeZone), -OPEN_DAYS), "10:00", HOTEL.timeZone);
  }

  async write(): Promise<HotelIds> {
    const { bulk } = this;
    this.hotelId = at(await bulk.ids("hotel", 1), 0);
    await bulk.insert("hotel", [{ ...HOTEL, id: this.hotelId, createdAt: this.opened }]);
    await bulk.insert("hotel_state", [
      { hotelId: this.hotelId, boardVersion: 1, auditSeq: 0, auditHash: new Uint8Array(32) },
    ]);
    await this.#writeRooms();
    await this.#writeLocks();
    await this.#writePrices();
    await this.#writeOperators();
    await this.#writeCustomers();
    await this.#writeCardReaders();
    await this.#writeHandOverNotes();
    return {
      hotelId: this.hotelId,
      roomIds: this.#roomIds,
      lockIds: this.#lockIds,
      operatorIds: this.#operatorIds,
      customerIds: this.#customerIds,
    };
  }

  async #writeRooms(): Promise<void> {
    const { bulk, hotelId } = this;
    const groupIds = await bulk.ids("room_group", GROUP_NAMES.length);
    await bulk.insert(
      "room_group",
      GROUP_NAMES.map((name, i) => ({
        id: at(groupIds, i),
        hotelId,
        name: GROUPS[name].name,
        sort: GROUPS[name].sort,
      })),
    );
    this.#roomIds = await bulk.ids("room", this.rooms.length);
    await bulk.insert(
      "room",
      this.rooms.map(({ prices: _, group, ...room }, i) => ({
        ...room,
        id: at(this.#roomIds, i),
        hotelId,
        groupId: at(groupIds, GROUP_NAMES.indexOf(group)),
        condition: this.dirty.has(i) ? ("dirty" as const) : ("clean" as const),
        createdAt: this.opened,
      })),
    );
  }

  async #writeLocks(): Promise<void> {
    const random = this.random;
    this.#lockIds = await this.bulk.ids("lock", this.rooms.length);
    const rows = this.rooms.map(({ name }, i): Row<"lock"> => {
      const mac = `D4:3A:2C:${[random.int(0, 255), random.int(0, 255), i].map(hex).join(":")}`;
      const online = !random.chance(0.06);
      const minutesAgo = online ? random.int(1, 14) : random.int(180, 4_000);
      return {
        id: at(this.#lockIds, i),
        hotelId: this.hotelId,
        roomId: at(this.#roomIds, i),
        mac,
        bluetoothName: `INK_${name}_${mac.slice(-5).replace(":", "")}`,
        power: random.chance(0.07) ? random.int(6, 18) : random.int(34, 100),
        online,
        firmware: random.chance(0.8) ? "2.4.1" : "2.3.9",
        lastSeenAt: minutesAfter(this.now, -minutesAgo),
        createdAt: this.opened,
      };
    });
    await this.bulk.insert("lock", rows);
    await this.bulk.insert(
      "lock_power_day",
      rows.flatMap((lock, i) => this.#powerDays(lock, i)),
    );
  }

  /** Levels of the last two months that fall to today's, each lock at a speed of its own. */
  #powerDays({ id, power }: Row<"lock">, index: number): Row<"lock_power_day">[] {
    const perDay = 0.1 + (index % 7) * 0.08;
    return Array.from({ length: POWER_DAYS }, (_, daysAgo) => ({
      hotelId: this.hotelId,
      lockId: id ?? 0,
      day: minutesAfter(this.now, -daysAgo * 1_440),
      power: Math.min(100, Math.round((power ?? 0) + daysAgo * perDay)),
    }));
  }

  /** Nothing answers for the locks until the simulators run; a note in the console says so. */
  async #writeHandOverNotes(): Promise<void> {
    const authorId = at(this.#operatorIds, 1);
    const text = `The locks of this demo hotel aren’t set up yet. “npm run simulators -- --locks ${this.rooms.length}” in a second terminal sets them up; then cards and codes open doors.`;
    await this.bulk.insert("hand_over_note", [{ hotelId: this.hotelId, authorId, text, createdAt: this.now }]);
  }

  async #writePrices(): Promise<void> {
    const { hotelId } = this;
    const of = (i: number) => ({ hotelId, roomId: at(this.#roomIds, i) });
    await this.bulk.insert(
      "room_price",
      this.rooms.map(({ prices: { dates: _, ...prices } }, i) => ({ ...of(i), ...prices })),
    );
    await this.bulk.insert(
      "room_price_date",
      this.rooms.flatMap(({ prices }, i) =>
        Object.entries(prices.dates).map(([date, priceMinor]) => ({ ...of(i), date, priceMinor })),
      ),
    );
  }

  async #writeOperators(): Promise<void> {
    const { bulk, hotelId, passwordHash } = this;
    const createdAt = this.opened;
    this.#operatorIds = await bulk.ids("operator", OPERATORS.length);
    const membershipIds = await bulk.ids("membership", OPERATORS.length);
    await bulk.insert(
      "operator",
      OPERATORS.map(({ mobile, email, name, gender, nationality, birthDate }, i) => {
        const person = { mobile, email, name, gender, nationality, birthDate };
        return { ...person, id: at(this.#operatorIds, i), passwordHash, passwordChangedAt: createdAt, createdAt };
      }),
    );
    await bulk.insert(
      "membership",
      OPERATORS.map(({ role, capabilities, apiKeyAuth }, i) => ({
        id: at(membershipIds, i),
        hotelId,
        operatorId: at(this.#operatorIds, i),
        role,
        capabilities: [...capabilities],
        apiKeyAuth,
        createdAt,
      })),
    );
    const roomId = new Map(this.rooms.map(({ name }, i) => [name, at(this.#roomIds, i)]));
    await bulk.insert(
      "room_grant",
      OPERATORS.flatMap(({ rooms }, i) =>
        rooms.map((name) => ({ hotelId, membershipId: at(membershipIds, i), roomId: roomId.get(name) ?? 0 })),
      ),
    );
  }

  async #writeCustomers(): Promise<void> {
    const random = this.random;
    this.#customerIds = await this.bulk.ids("customer", CUSTOMERS.length);
    await this.bulk.insert(
      "customer",
      CUSTOMERS.map(({ kind, name, company, contact }, i) => ({
        id: at(this.#customerIds, i),
        hotelId: this.hotelId,
        kind,
        name,
        company,
        note: contact,
        mobile: `+493055501${random.digits(3)}`,
        email: kind === "company" ? `reservations@customer-${i + 1}.example` : "",
        createdAt: minutesAfter(this.opened, i * 11_000),
      })),
    );
  }

  async #writeCardReaders(): Promise<void> {
    const ids = await this.bulk.ids("card_reader", CARD_READERS.length);
    await this.bulk.insert(
      "card_reader",
      CARD_READERS.map(({ operator: _operator, customer: _customer, ...cardReader }, i) => ({
        ...cardReader,
        id: at(ids, i),
        hotelId: this.hotelId,
        createdAt: minutesAfter(this.opened, i * 7_000),
      })),
    );
    const holders = CARD_READERS.map(({ operator, customer }, i) => ({
      hotelId: this.hotelId,
      cardReaderId: at(ids, i),
      operatorId: operator === null ? null : at(this.#operatorIds, operator),
      customerId: customer === null ? null : at(this.#customerIds, customer),
    }));
    const bound = holders.filter(({ operatorId, customerId }) => operatorId !== null || customerId !== null);
    await this.bulk.insert("card_reader_holder", bound);
  }
}

const hex = (byte: number): string => byte.toString(16).padStart(2, "0").toUpperCase();
const minutesAfter = (instant: InstantIso, minutes: number): InstantIso =>
  new Date(Date.parse(instant) + minutes * 60_000).toISOString();
