import { majorUnit } from "@innkey/shared/money";
import type { SetPricesInput } from "@innkey/shared/schemas/rooms";
import type { Scope } from "../../../kernel/scope.ts";
import { checkMinimum, withDatesByDay, writePrices } from "./write-prices.ts";

/**
 * Gives rooms the same prices; their specific dates are replaced by those of the input. Stays already charged keep what
 * they were charged.
 * @throws no_permission, not_found; invalid_input for a price under one major unit (source: specification, section 5)
 */
export async function setPrices(scope: Scope, { roomIds, prices }: SetPricesInput): Promise<{ updated: number }> {
  scope.require("prices.manage");
  checkMinimum(prices, majorUnit(scope.hotel.currency));
  const updated = await scope.write((tx) => writePrices(scope, tx, roomIds, withDatesByDay(prices), null));
  return { updated };
}
