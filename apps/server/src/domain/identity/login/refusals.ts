import type { Clock } from "../../../kernel/clock.ts";
import { type Scope, type ScopeFactory, SYSTEM_ACTOR } from "../../../kernel/scope.ts";
import type { Account, Accounts } from "./accounts.ts";
import type { Attempts } from "./attempts.ts";
import { hotelOf } from "./sessions.ts";
import type { Visitor } from "./visitor.ts";

type RefusedAccount = Pick<Account, "operatorId" | "hotelId" | "anyHotelId">;

export interface Refusals {
  /** Opens a scope in the account's hotel before anyone is logged in; null if the account belongs to no hotel. */
  scopeFor(account: RefusedAccount, visitor: Visitor): Promise<Scope | null>;
  /** Records a refused login in the audit, up to a daily limit per account. */
  audit(account: RefusedAccount, visitor: Visitor, maskedAccount: string, reason: string): Promise<void>;
}

export function createRefusals(deps: {
  accounts: Accounts;
  attempts: Pick<Attempts, "mayAuditRefusal">;
  clock: Clock;
  openScope: ScopeFactory;
}): Refusals {
  const { accounts, attempts, clock, openScope } = deps;
  async function scopeFor(account: RefusedAccount, visitor: Visitor): Promise<Scope | null> {
    const hotelId = account.hotelId ?? account.anyHotelId;
    const row = hotelId === null ? null : await accounts.at(account.operatorId, hotelId, clock.now());
    const { language, channel, address, requestId } = visitor;
    return row && openScope({ actor: SYSTEM_ACTOR, hotel: hotelOf(row), language, channel, address, requestId });
  }
  return {
    scopeFor,
    async audit(account, visitor, maskedAccount, reason) {
      if (!(await attempts.mayAuditRefusal(account.operatorId))) return;
      const scope = await scopeFor(account, visitor);
      await scope?.write(async (tx) => {
        const after = { account: maskedAccount, reason };
        tx.audit({ action: "session.refuse", entity: "operator", entityId: account.operatorId, after });
      });
    },
  };
}
