import type { PaymentChannel } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { moneyText } from "@innkey/shared/money";
import type * as schema from "@innkey/shared/schemas/folio/balance";
import type { z } from "zod";
import { changesOf } from "../../../kernel/changes.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { LedgerEntry } from "../entries/entry-draft.ts";
import { fundsEntries, postEntry } from "../entries/ledger.ts";
import * as queries from "./balance.queries.ts";
import { type HotelMoney, readHotelMoney, takeTurn } from "./hotel-money.ts";

type Input<S extends z.ZodType> = z.infer<S>;
type Moved = Input<typeof schema.balanceMoved>;

/** Cash is needed at the desk, so we withdraw it last. */
const LEAVES_FIRST: readonly PaymentChannel[] = ["transfer", "card", "other", "cash"];

/** Deposits the hotel's own money, as an entry without a stay. Amounts are in minor units. @throws no_permission */
export async function recharge(scope: Scope, input: Input<typeof schema.rechargeInput>): Promise<Moved> {
  scope.require("balance.manage");
  return scope.write(async (tx) => {
    const entries = fundsEntries(input.amountMinor, input.channel);
    const entryId = await postEntry(scope, tx, { ...input, stayId: null, type: "recharge", entries });
    const { availableMinor } = await readHotelMoney(tx.sql);
    return { entryId, availableMinor };
  });
}

/**
 * Withdraws money to the withdrawal account, one withdrawal at a time. It is taken from the payment channels in a fixed
 * entry, from each at most its balance. @throws withdrawal_account_missing; balance_too_small with what is left
 */
export async function withdraw(scope: Scope, input: Input<typeof schema.withdrawInput>): Promise<Moved> {
  scope.require("balance.manage");
  return scope.write(async (tx) => {
    await takeTurn(tx);
    const account = await tx.db.withdrawalAccount.findFirst();
    if (!account) throw new DomainError("withdrawal_account_missing");
    const money = await readHotelMoney(tx.sql);
    if (input.amountMinor > money.availableMinor) {
      const { currency } = scope.hotel;
      throw new DomainError("balance_too_small", {
        left: moneyText(Math.max(0, money.availableMinor), currency, scope.language),
      });
    }
    const entries = leaving(input.amountMinor, money);
    const [first, second] = entries.filter(({ account: name }) => name !== "owner_funds");
    const entryId = await postEntry(scope, tx, {
      ...input,
      stayId: null,
      type: "withdrawal",
      channel: second ? null : (LEAVES_FIRST.find((channel) => channel === first?.account) ?? null),
      destination: [account.name, account.bank, `•••• ${account.numberEnd}`].filter(Boolean).join(", "),
      entries,
    });
    return { entryId, availableMinor: money.availableMinor - input.amountMinor };
  });
}

const VISIBLE_CHARACTERS = 4;

/**
 * The available amount never exceeds the positive balances of the channels, so the whole amount can be taken from them.
 */
function leaving(amountMinor: number, { channels }: HotelMoney): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  let left = amountMinor;
  for (const name of LEAVES_FIRST) {
    const balance = channels.find(({ channel }) => channel === name)?.amountMinor ?? 0;
    const part = Math.min(left, Math.max(0, balance));
    if (part > 0) entries.push({ account: name, amountMinor: -part });
    left -= part;
  }
  if (left > 0) throw new Error("more is available than the channels hold");
  return [...entries, { account: "owner_funds", amountMinor }];
}

/**
 * Sets the withdrawal account. The number is sealed, and only its last digits are shown again. @throws invalid_input
 * without a number
 */
export async function setAccount(
  scope: Scope,
  { number, ...input }: Input<typeof schema.setAccountInput>,
): Promise<Input<typeof schema.balanceOutput>> {
  scope.require("balance.manage");
  await scope.write(async (tx) => {
    await takeTurn(tx);
    const before = await tx.db.withdrawalAccount.findFirst();
    if (!number && !before) throw new DomainError("invalid_input", {}, { number: { key: "validation.required" } });
    const context = { column: "withdrawal_account.number_box", hotelId: scope.hotelId, row: "" } as const;
    const numberBox = number ? scope.secrets.payout.seal(number, context) : null;
    const masked = { ...input, numberEnd: number ? number.slice(-VISIBLE_CHARACTERS) : (before?.numberEnd ?? "") };
    const data = { ...masked, ...(numberBox && { numberBox }), updatedAt: scope.now() };
    if (before) await tx.db.withdrawalAccount.updateMany({ data });
    else if (numberBox) await tx.db.withdrawalAccount.create({ data: { ...data, numberBox, hotelId: scope.hotelId } });
    const after = { ...masked, ...(number && { number }) };
    const changes = before
      ? changesOf({ ...before, number: scope.secrets.payout.open(before.numberBox, context) }, after, ["number"])
      : { after: masked };
    if (changes) {
      tx.audit({ action: "balance.account", entity: "balance", entityId: scope.hotelId, ...changes });
    }
  });
  return queries.get(scope);
}
