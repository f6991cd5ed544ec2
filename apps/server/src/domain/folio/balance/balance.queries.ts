import type * as schema from "@innkey/shared/schemas/balance";
import type { Scope } from "../../../kernel/scope.ts";
import { readHotelMoney } from "./hotel-money.ts";

/**
 * Returns the hotel's money, how much of it may be withdrawn, and the withdrawal account; amounts in minor units.
 * @throws no_permission
 */
export async function get(scope: Scope): Promise<schema.Balance> {
  scope.require("balance.view");
  const [money, account] = await Promise.all([
    readHotelMoney(scope.sql),
    scope.reads.withdrawalAccount.findFirst({
      select: { type: true, name: true, bank: true, numberEnd: true, updatedAt: true },
    }),
  ]);
  return { ...money, account: account && { ...account, updatedAt: account.updatedAt.toISOString() } };
}
