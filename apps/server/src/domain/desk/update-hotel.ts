import { DomainError } from "@innkey/shared/errors";
import type { HotelChange, HotelOutput } from "@innkey/shared/schemas/property/hotel";
import type { Scope } from "../../kernel/scope.ts";
import { changesOf, FREE_TEXTS, type Transaction, withoutUndefined } from "../../kernel/transaction.ts";
import { adjustHotel, configureAll } from "../access/public.ts";
import { readHotel, updateHotel } from "../property/public.ts";

export interface UpdateHotelDeps {
  /** Queues a run of retention for the hotel */
  retention: { enqueue(hotelId: number): Promise<void> };
}

/**
 * Changes the hotel's data; omitted fields stay unchanged. The currency can't change once there are folio entries,
 * because their amounts are integers of that currency. The time zone may change, since times are stored in UTC. @throws
 * no_permission; not_found for an unknown logo; state_conflict for another currency once entries exist
 */
export async function update(scope: Scope, { retention }: UpdateHotelDeps, change: HotelChange): Promise<HotelOutput> {
  scope.require("hotel.manage");
  const input = withoutUndefined(change);
  await scope.write(async (tx) => {
    const [locked] = await tx.sql.rows<{ currency: string }>("SELECT currency FROM hotel WHERE id = $1 FOR UPDATE");
    if (!locked) throw new DomainError("not_found");
    const { currency = locked.currency } = input;
    if (locked.currency !== currency && (await tx.db.folioEntry.findFirst({ select: { id: true } }))) {
      throw new DomainError("state_conflict", {}, { currency: { key: "validation.currencyInUse" } });
    }
    if (input.logoFileId) await requireLogo(tx, input.logoFileId);
    const before = await tx.db.hotel.findFirstOrThrow();
    const changes = changesOf(before, input, [...FREE_TEXTS, "wifiPassword"]);
    if (!changes) return;
    if ("retentionDays" in changes.after || "recordMonths" in changes.after) scope.require("privacy.manage");
    await updateHotel(tx, input);
    if ("accessEarlyMinutes" in changes.after || "accessLateMinutes" in changes.after) {
      await adjustHotel(scope, tx, { ...before, ...input });
    }
    // Locks judge days and hours by the time zone that they were given.
    if ("timeZone" in changes.after) await configureAll(scope, tx);
    tx.audit({ action: "hotel.update", entity: "hotel", entityId: scope.hotelId, ...changes });
    tx.wholeBoardChanged();
  });
  // A shorter period applies at once, not only from the next night.
  if (typeof (input.retentionDays ?? input.recordMonths) === "number") await retention.enqueue(scope.hotelId);
  return readHotel(scope);
}

/** @throws not_found for a file that is no logo of this hotel */
async function requireLogo(tx: Transaction, id: string): Promise<void> {
  const where = { id, kind: "logo" as const };
  if (!(await tx.db.storedFile.findFirst({ where, select: { id: true } }))) throw new DomainError("not_found");
}
