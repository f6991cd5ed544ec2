import type { CredentialRow } from "@innkey/shared/schemas/locks";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { CredentialChip } from "./credential-chip.tsx";
import { foremost } from "./doors-state.ts";

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
