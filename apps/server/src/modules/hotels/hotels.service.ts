import { DomainError } from "@innkey/shared/errors";
import type { HotelInput, HotelOutput } from "@innkey/shared/schemas/hotel";
import { changesOf } from "../../core/changes.ts";
import type { Scope } from "../../core/scope.ts";
import { adjustHouse } from "../stays/access.ts";
import * as queries from "./hotels.queries.ts";

/**
 * Changes the hotel's data. Amounts already booked are plain integers of the currency they were booked in, so the currency
 * stays once there is an order; the time zone may change, since instants are stored in UTC.
 * @throws no_permission; state_conflict for another currency once orders exist
 */
export async function update(scope: Scope, input: HotelInput): Promise<HotelOutput> {
  scope.require("hotel.manage");
  await scope.write(async (unit) => {
    const [locked] = await unit.sql.rows<{ currency: string }>("SELECT currency FROM hotel WHERE id = $1 FOR UPDATE");
    if (!locked) throw new DomainError("not_found");
    if (locked.currency !== input.currency && (await unit.db.order.findFirst({ select: { id: true } }))) {
      throw new DomainError("state_conflict", {}, { currency: { key: "validation.currencyInUse" } });
    }
    const before = await unit.db.hotel.findFirstOrThrow();
    const changes = changesOf(before, input, ["wifiPassword"]);
    if (!changes) return;
    if ("retentionDays" in changes.after) scope.require("privacy.manage");
    await unit.db.hotel.updateMany({ data: input });
    if ("accessEarlyMinutes" in changes.after || "accessLateMinutes" in changes.after) {
      await adjustHouse(scope, unit, input);
    }
    unit.journal({ action: "hotel.update", entity: "hotel", entityId: scope.hotelId, ...changes });
    unit.boardChanged();
  });
  return queries.get(scope);
}
