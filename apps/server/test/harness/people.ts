import { randomInt } from "node:crypto";
import type { Capability } from "@innkey/shared/capabilities";
import type { Role } from "@innkey/shared/enums";
import type { Database } from "../../src/adapters/postgres/client.ts";
import type { Clock } from "../../src/kernel/clock.ts";

export interface TestHotel {
  id: number;
  name: string;
  timeZone: string;
  currency: string;
}

export interface TestOperator {
  id: number;
  hotelId: number;
  account: string;
  membershipId: number;
}

export async function insertHotel(
  { prisma }: Database,
  clock: Clock,
  fields: Partial<Omit<TestHotel, "id">> = {},
): Promise<TestHotel> {
  const data = { name: "Haus Messing", timeZone: "Europe/Berlin", currency: "EUR", ...fields, createdAt: clock.now() };
  const { id, name, timeZone, currency } = await prisma.hotel.create({
    data: { ...data, state: { create: { auditHash: new Uint8Array(32) } } },
  });
  return { id, name, timeZone, currency };
}

const freshMobile = (): string => `139${String(randomInt(100_000_000)).padStart(8, "0")}`;

export async function insertOperator(
  { prisma }: Database,
  clock: Clock,
  hotel: TestHotel,
  fields: { role: Role; capabilities?: Capability[]; roomIds?: number[]; account?: string; apiKeyAuth?: boolean },
  passwordHash: string,
): Promise<TestOperator> {
  const { role, capabilities = [], roomIds = [], apiKeyAuth = false, account = freshMobile() } = fields;
  const createdAt = clock.now();
  const kind = account.includes("@") ? "email" : "mobile";
  const name = `${role} ${account.slice(-4)}`;
  const { id } = await prisma.operator.create({ data: { [kind]: account, name, passwordHash, createdAt } });
  const hotelId = hotel.id;
  const membership = await prisma.membership.create({
    data: { hotelId, operatorId: id, role, capabilities, apiKeyAuth, createdAt },
  });
  const membershipId = membership.id;
  await prisma.roomGrant.createMany({ data: roomIds.map((roomId) => ({ hotelId, membershipId, roomId })) });
  return { id, hotelId, account, membershipId };
}
