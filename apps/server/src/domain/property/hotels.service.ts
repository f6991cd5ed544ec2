import type { Prisma } from "../../adapters/postgres/generated/client.ts";
import type { HotelContext } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";

const HASH_BYTES = 32;

/** Inserts the hotel of the unit, with the row of its state. */
export async function insertHotel(tx: Transaction, hotel: HotelContext, createdAt: Date): Promise<void> {
  const { id, name, timeZone, currency, language, checkInTime, checkOutTime, dayStartTime } = hotel;
  const weekendNights = [...hotel.weekendNights];
  await tx.db.hotel.create({
    data: { id, name, timeZone, currency, language, checkInTime, checkOutTime, dayStartTime, weekendNights, createdAt },
  });
  await tx.db.hotelState.create({ data: { hotelId: id, auditHash: new Uint8Array(HASH_BYTES) } });
}

/** Changes columns of the hotel; the caller has checked permissions and writes the audit entry. */
export async function updateHotel(tx: Transaction, data: Prisma.HotelUpdateManyMutationInput): Promise<void> {
  await tx.db.hotel.updateMany({ data });
}
