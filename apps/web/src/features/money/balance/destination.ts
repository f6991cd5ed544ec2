import type { Balance } from "@innkey/shared/schemas/folio/balance";
import type { Translate } from "@/lib/i18n.ts";

export type Account = NonNullable<Balance["account"]>;

/** Returns e.g. "Ada Lovelace, Bank of Elbe, •••• 3000". Without a bank, it names the type of account. */
export function destinationOf(t: Translate, { type, name, bank, numberEnd }: Account): string {
  return [name, bank || t(`balance.typeOf.${type}`), `•••• ${numberEnd}`].join(", ");
}
