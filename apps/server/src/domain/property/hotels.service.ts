import type { HotelOutput } from "@innkey/shared/schemas/property/hotel";
import type { Prisma } from "../../adapters/postgres/generated/client.ts";
import type { HotelContext, Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";

const HOTEL = `
  SELECT h.id, h.name, h.legal_name AS "legalName", h.tax_number AS "taxNumber", h.logo_file_id::text AS "logoFileId", h.address, h.tel, h.latitude, h.longitude, h.time_zone AS "timeZone", h.currency,
    h.hour_format AS "hourFormat", h.check_in_time AS "checkInTime", h.check_out_time AS "checkOutTime", h.day_start_time AS "dayStartTime",
    h.access_early_minutes AS "accessEarlyMinutes", h.access_late_minutes AS "accessLateMinutes",
    h.weekend_nights AS "weekendNights", h.breakfast_from AS "breakfastFrom", h.breakfast_to AS "breakfastTo",
    h.breakfast_price_minor AS "breakfastPriceMinor", h.wifi_name AS "wifiName", h.wifi_password AS "wifiPassword", h.notice,
    h.retention_days AS "retentionDays", h.record_months AS "recordMonths", h.two_step AS "twoStep",
    h.guest_opens_door AS "guestOpensDoor",
    h.guest_asks_late AS "guestAsksLate", h.guest_checks_in AS "guestChecksIn", h.guest_checks_out AS "guestChecksOut", h.guest_gives_identity AS "guestGivesIdentity",
    h.guest_gives_document AS "guestGivesDocument", h.guest_gives_arrival AS "guestGivesArrival",
    h.guest_gives_photo AS "guestGivesPhoto", h.guest_gives_signature AS "guestGivesSignature",
    (SELECT count(*)::int FROM room WHERE hotel_id = h.id AND deleted_at IS NULL) AS "roomCount",
    (SELECT count(*)::int FROM lock WHERE hotel_id = h.id AND room_id IS NOT NULL) AS "lockCount"
  FROM hotel h WHERE h.id = $1`;

/** Returns the hotel's data. `lockCount` counts locks assigned to a room. @throws no_permission */
export async function get(scope: Scope): Promise<HotelOutput> {
  scope.require("hotel.view");
  const [hotel] = await scope.sql.prepared<HotelOutput>("hotel", HOTEL);
  if (!hotel) throw new Error(`hotel ${scope.hotelId} of a valid session doesn't exist`);
  return hotel;
}

const HASH_BYTES = 32;

/** Inserts the hotel and its hotel_state row. */
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

/** Takes the list of first steps out of the menu, for everybody in the hotel. @throws no_permission */
export async function closeFirstSteps(scope: Scope): Promise<{ closed: boolean }> {
  scope.require("hotel.manage");
  return scope.write(async (tx) => {
    const { gettingReady } = await tx.db.hotel.findFirstOrThrow({ select: { gettingReady: true } });
    if (!gettingReady) return { closed: false };
    await updateHotel(tx, { gettingReady: false });
    const changes = { before: { gettingReady }, after: { gettingReady: false } };
    tx.audit({ action: "hotel.update", entity: "hotel", entityId: scope.hotelId, ...changes });
    return { closed: true };
  });
}
