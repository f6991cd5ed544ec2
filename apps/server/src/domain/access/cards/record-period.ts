import { recordPeriod } from "@innkey/shared/cards/record";
import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";

/**
 * Returns the period of a card made now, as its record encodes it; without a start it opens from now. @throws
 * invalid_input for an end that is past, or later than records can encode
 */
export function issuePeriod(
  scope: Scope,
  { validFrom, validTo }: { validFrom: string | null; validTo: string | null },
): { validFrom: string; validTo: string | null } {
  const now = scope.now().toISOString();
  try {
    const period = recordPeriod(validFrom ?? now, validTo);
    if (period.validTo === null || period.validTo > now) return period;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const field = validTo === null ? "validFrom" : "validTo";
    throw new DomainError("invalid_input", {}, { [field]: { key: "validation.instant" } });
  }
  throw new DomainError("invalid_input", {}, { validTo: { key: "validation.endBeforeStart" } });
}
