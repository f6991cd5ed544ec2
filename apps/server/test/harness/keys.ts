import { randomUUID } from "node:crypto";
import type { CardKind, CardState, CredentialState } from "@innkey/shared/enums";
import type { Card, Credential, LockCommand, Prisma } from "../../src/adapters/postgres/generated/client.ts";
import type { TestHotel, TestWorld } from "./hotel.ts";

/** A room with a lock. */
export interface Door {
  roomId: number;
  lockId: number;
  name: { hotelId: number; mac: string };
}

export interface KeyRing {
  door(name: string): Promise<Door>;
  /** Creates a checked-in stay */
  stay(roomId: number, guest?: string): Promise<{ stayId: number; stayGuestId: number }>;
  card(fields: {
    uid: string;
    kind?: CardKind;
    state?: CardState;
    sequence?: number;
    stayId?: number;
    note?: string;
    /** Number of the lock that the card's record opens */
    lockNumber?: number;
    createdAt?: string;
  }): Promise<Card>;
  cardNow(id: number): Promise<Card>;
  /** Creates the credential of a card, or of a passcode made for it; `counter`: of a one-time code */
  credential(
    door: Door,
    fields: {
      state?: CredentialState;
      stayId?: number;
      cardId?: number;
      passcode?: { counter?: number; person?: string };
    },
  ): Promise<Credential>;
  credentialNow(id: number): Promise<Credential>;
  command(door: Door, fields: Partial<Prisma.LockCommandUncheckedCreateInput>): Promise<LockCommand>;
}

const DAY_MS = 86_400_000;
let doors = 0;

/** Writes doors and keys directly into the tables, in any state that a test needs. */
export function keyRing({ database, clock }: TestWorld, { id: hotelId, createRoom, scope }: TestHotel): KeyRing {
  const { prisma } = database;
  const window = () => ({ validFrom: clock.now(), validTo: new Date(clock.now().getTime() + DAY_MS) });
  let profile: Promise<{ id: number }> | undefined;
  const profileId = async (): Promise<number> => {
    profile ??= prisma.cardProfile.create({
      data: { hotelId, cipher: "aes", sectors: [1], block: 0, keyType: "A", siteCode: 1, keysBox: Buffer.alloc(1) },
    });
    return (await profile).id;
  };

  return {
    async door(name) {
      const roomId = await createRoom(name, null);
      doors += 1;
      const hex = (0xa4c138000000 + doors).toString(16).toUpperCase();
      const mac = hex.replace(/(..)(?=.)/g, "$1:");
      const lock = await prisma.lock.create({ data: { hotelId, roomId, mac } });
      return { roomId, lockId: lock.id, name: { hotelId, mac: hex } };
    },
    async stay(roomId, guest = "Ada Marlow") {
      const owner = await scope();
      const [startsAt, endsAt] = [clock.now(), new Date(clock.now().getTime() + DAY_MS)];
      const stay = await prisma.stay.create({
        data: { hotelId, state: "checked_in", unit: "day", startsAt, endsAt, createdById: owner.actor.id ?? 0 },
      });
      await prisma.occupancy.create({
        data: { hotelId, roomId, stayId: stay.id, state: "in_house", startsAt, endsAt },
      });
      const { id: guestId } = await prisma.guest.create({ data: { hotelId, name: guest } });
      const { id: stayGuestId } = await prisma.stayGuest.create({
        data: { hotelId, stayId: stay.id, guestId, primary: true },
      });
      return { stayId: stay.id, stayGuestId };
    },
    async card({ uid, kind = "guest", state = "active", sequence = 1, stayId, note = "", lockNumber, createdAt }) {
      return prisma.card.create({
        data: {
          hotelId,
          uid,
          kind,
          state,
          sequence,
          stayId: stayId ?? null,
          note,
          lockNumber: lockNumber ?? null,
          profileId: await profileId(),
          createdAt: createdAt ? new Date(createdAt) : new Date(clock.now().getTime() - DAY_MS),
          ...window(),
        },
      });
    },
    cardNow: (id) => prisma.card.findUniqueOrThrow({ where: { id } }),
    async credential({ lockId, roomId }, { state = "confirmed", stayId, cardId, passcode }) {
      const code =
        passcode &&
        (await prisma.passcode.create({
          data: {
            hotelId,
            roomId,
            type: passcode.counter === undefined ? "custom" : "one_time",
            codeBox: Buffer.alloc(1),
            person: passcode.person ?? "Ida",
            stayId: stayId ?? null,
            otpCounter: passcode.counter ?? null,
            ...window(),
          },
        }));
      const subject = { cardId: cardId ?? null, passcodeId: code?.id ?? null, stayId: stayId ?? null };
      const kind = code ? ("passcode" as const) : ("card" as const);
      return prisma.credential.create({ data: { hotelId, lockId, roomId, kind, state, ...subject, ...window() } });
    },
    credentialNow: (id) => prisma.credential.findUniqueOrThrow({ where: { id } }),
    command: ({ lockId }, fields) =>
      prisma.lockCommand.create({
        data: {
          id: randomUUID(),
          hotelId,
          lockId,
          type: "unlock",
          subject: "unlock",
          argsBox: fields?.endedAt ? null : Buffer.alloc(1),
          ...fields,
        },
      }),
  };
}
