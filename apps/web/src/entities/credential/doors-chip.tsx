import type { CredentialRow } from "@innkey/shared/schemas/locks";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { CredentialChip } from "./credential-chip.tsx";

/** Where a key stands with its doors: the one that wants attention most, and how many are like it. */
export function DoorsChip({ credentials, once }: { credentials: readonly CredentialRow[]; once?: boolean }) {
  const { t } = useTranslation();
  const first = foremost(credentials);
  if (!first) return "–";
  const alike = credentials.filter(({ state }) => state === first.state).length;
  return (
    <span className="block whitespace-normal">
      <CredentialChip credential={first} once={once} />
      {credentials.length > 1 && (
        <span className="block text-xs text-muted-foreground">
          {t("passcode.ofDoors", { some: formatNumber(alike), total: formatNumber(credentials.length) })}
        </span>
      )}
    </span>
  );
}

type State = CredentialRow["state"];

/** What wants the desk's eye most comes first. */
const ATTENTION: readonly State[] = ["failed", "revoking", "queued", "sent", "confirmed", "used", "revoked"];

/** The door that speaks for a key that is at several: the one with the most to say. */
export function foremost(credentials: readonly CredentialRow[]): CredentialRow | undefined {
  return credentials.toSorted((a, b) => ATTENTION.indexOf(a.state) - ATTENTION.indexOf(b.state))[0];
}

const UNDER_WAY: readonly State[] = ["queued", "sent", "revoking"];

/** Whether a lock has yet to answer. */
export function isUnderWay({ state }: Pick<CredentialRow, "state">): boolean {
  return UNDER_WAY.includes(state);
}

/** Whether the lock has it. */
export function isReady({ state }: Pick<CredentialRow, "state">): boolean {
  return state === "confirmed" || state === "used";
}
