import type { WeekHours } from "@innkey/shared/locks/week-hours";
import {
  type PreparedCard,
  type PrepareMasterInput,
  prepareCardInput,
  prepareMasterInput,
} from "@innkey/shared/schemas/access/cards";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import type { Lock } from "../../src/adapters/postgres/generated/client.ts";
import { confirm, prepare } from "../../src/domain/access/cards/cards.service.ts";
import { prepareMaster } from "../../src/domain/access/cards/master.service.ts";
import { settleCards } from "../../src/domain/access/credentials/min-sequences.ts";
import { save as saveDoor } from "../../src/domain/access/doors/doors.service.ts";
import { connect } from "../../src/domain/access/locks/registration.service.ts";
import * as stays from "../../src/domain/desk/public.ts";
import type { Scope } from "../../src/kernel/scope.ts";
import type { TestHotel, TestWorld } from "../harness/hotel.ts";
import { createLockBench, type LockBench } from "../locks/locks.ts";
import { type Chip, ModelLock } from "../locks/model-lock.ts";

export interface DeskRoom {
  roomId: number;
  name: string;
  lock: Lock;
}

export interface CardDesk {
  owner: Scope;
  bench: LockBench;
  /** Content and issue of each card */
  chips: Map<string, Chip & { cardId: number }>;
  /** Creates a room with a lock that is connected and set up */
  room(name: string): Promise<DeskRoom>;
  /** Creates a common door with such a lock */
  commonDoor(name: string): Promise<{ doorId: number; lock: Lock }>;
  model(lockId: number): ModelLock;
  newUid(): string;
  checkIn(roomId: number, days?: number): Promise<number>;
  checkOut(stayId: number): Promise<void>;
  issue(stayId: number, uid: string, options?: { disableOldCards?: boolean; confirm?: boolean }): Promise<PreparedCard>;
  issueMaster(
    kind: PrepareMasterInput["kind"],
    uid: string,
    options?: {
      roomIds?: number[];
      doorIds?: number[];
      groupIds?: number[];
      zoneIds?: number[];
      allDoors?: boolean;
      validTo?: string | null;
      hours?: WeekHours;
      confirm?: boolean;
    },
  ): Promise<PreparedCard>;
  /** The lock executes all waiting commands */
  deliver(lockId: number): Promise<void>;
  /** The lock loses its memory and is connected again */
  reset(lockId: number): Promise<void>;
  /** Presents the card at the door and reports it; returns whether the door opened. */
  presentCard(uid: string, lockId: number): Promise<boolean>;
  opens(uid: string, lockId: number): boolean;
  state(cardId: number): Promise<string>;
}

/** A desk with a room and a party that stays in it for three nights. */
export interface DeskWithGuest {
  hotel: TestHotel;
  desk: CardDesk;
  room: DeskRoom;
  stayId: number;
}

/** Creates a hotel with a desk, and checks a party in. */
export async function createDeskWithGuest(world: TestWorld): Promise<DeskWithGuest> {
  const hotel = await world.createHotel();
  const desk = await createCardDesk(world, hotel);
  const room = await desk.room("101");
  return { hotel, desk, room, stayId: await desk.checkIn(room.roomId) };
}

/** Creates a desk with a simulated reader and cards, and locks that follow the protocol. */
export async function createCardDesk(world: TestWorld, hotel: TestHotel): Promise<CardDesk> {
  const owner = await hotel.scope("owner", { apiKeyAuth: true });
  const bench = createLockBench(world);
  const { prisma } = world.database;
  const models = new Map<number, ModelLock>();
  const chips: CardDesk["chips"] = new Map();
  let serial = 0;

  const model = (lockId: number): ModelLock => {
    const model = models.get(lockId) ?? new ModelLock();
    models.set(lockId, model);
    return model;
  };
  bench.driver.reply = ({ id }, command) => {
    model(id).execute(command);
    return { outcome: "answered", ack: { ok: true } };
  };
  const now = (): string => world.clock.now().toISOString();
  const chipOf = (uid: string): Chip => chips.get(uid) ?? { uid, data: null };

  /** Connects a lock as an installer does, and lets it execute its commands. */
  async function connectLock({ id, mac }: Lock): Promise<Lock> {
    model(id).pair((await connect(owner, { lockId: id }, bench.plane)).pairingSecret);
    await bench.plane.status({ hotelId: hotel.id, mac }, { state: "online" });
    await bench.plane.delivery.dispatch(hotel.id, id);
    return bench.lock(id);
  }

  async function writeCard(card: PreparedCard, isConfirmed: boolean): Promise<PreparedCard> {
    const others = card.others.map(({ data }) => data);
    chips.set(card.uid, { uid: card.uid, data: card.data, others, cardId: card.cardId });
    if (isConfirmed) await confirm(owner, { cardId: card.cardId, readBack: card.data });
    return card;
  }

  return {
    owner,
    bench,
    chips,
    model,
    async room(name) {
      const roomId = await hotel.createRoom(name);
      return { roomId, name, lock: await connectLock(await bench.addLock(owner, { roomId }, false)) };
    },
    async commonDoor(name) {
      const lock = await connectLock(await bench.addLock(owner, {}, false));
      const { doorId } = await saveDoor(owner, { name, kind: "entrance", lockId: lock.id });
      return { doorId, lock };
    },
    newUid() {
      serial += 1;
      return (0xa0000000 + serial).toString(16).toUpperCase();
    },
    async checkIn(roomId, days = 3) {
      serial += 1;
      const endsAt = new Date(world.clock.now().getTime() + days * 86_400_000).toISOString();
      const party = { roomId, unit: "day", startsAt: now(), endsAt, guests: [{ name: `Holder ${serial}` }] };
      return (await stays.checkIn(owner, checkInInput.parse({ ...party, channel: "cash", confirmDirty: true }))).stayId;
    },
    async checkOut(stayId) {
      await stays.checkOut(owner, {
        stayId,
        refundDeposit: true,
        refundUnusedMinor: 0,
        channel: null,
        refundChannel: "cash",
        confirmUnpaid: true,
      });
    },
    async issue(stayId, uid, options = {}) {
      const input = prepareCardInput.parse({ stayId, uid, disableOldCards: options.disableOldCards ?? false });
      return writeCard(await prepare(owner, input), options.confirm ?? true);
    },
    async issueMaster(kind, uid, { confirm: isConfirmed = true, ...fields } = {}) {
      const input = prepareMasterInput.parse({ kind, uid, note: "Housekeeping", ...fields });
      return writeCard(await prepareMaster(owner, input), isConfirmed);
    },
    async reset(lockId) {
      const former = model(lockId).pairingSecrets;
      models.delete(lockId);
      model(lockId).pairingSecrets.push(...former);
      model(lockId).pair((await connect(owner, { lockId }, bench.plane)).pairingSecret);
      await bench.plane.delivery.dispatch(hotel.id, lockId);
    },
    deliver: (lockId) => bench.plane.delivery.dispatch(hotel.id, lockId),
    async presentCard(uid, lockId) {
      const opened = model(lockId).presentCard(chipOf(uid), now());
      const { guestFloor } = model(lockId);
      if (opened) {
        await prisma.lock.update({ where: { id: lockId }, data: { guestFloor } });
        await owner.write((tx) => settleCards(owner, tx));
      }
      return opened;
    },
    opens: (uid, lockId) => model(lockId).opensFor(chipOf(uid), now()) !== null,
    state: async (cardId) => (await prisma.card.findUniqueOrThrow({ where: { id: cardId } })).state,
  };
}
