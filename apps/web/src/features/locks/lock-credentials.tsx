import type { CredentialRow, LockDetail } from "@innkey/shared/schemas/access/locks";
import { CreditCard, Hash, KeyRound, type LucideIcon, ScanFace } from "lucide-react";
import { useMemo } from "react";
import { CredentialChip } from "@/entities/credential/credential-chip.tsx";
import { windowText } from "@/entities/lock/lock-words.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { DataColumn } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";

export const KIND_ICONS: Record<CredentialRow["kind"], LucideIcon> = {
  card: CreditCard,
  passcode: Hash,
  face: ScanFace,
};

/** Lists the credentials stored in the lock: codes, faces and cards that open by their number. */
export function LockCredentials({ lock }: { lock: LockDetail }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const columns = useMemo(
    (): DataColumn<CredentialRow>[] => [
      {
        id: "label",
        header: t("locks.key"),
        fixed: true,
        card: "title",
        sortable: true,
        value: (row) => row.label,
        cell: (row) => {
          const Icon = KIND_ICONS[row.kind];
          return (
            <span className="inline-flex min-w-0 items-center gap-2">
              <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
              <span className="truncate">{row.label || t(`locks.kind.${row.kind}`)}</span>
              <span className="sr-only">{t(`locks.kind.${row.kind}`)}</span>
            </span>
          );
        },
      },
      {
        id: "window",
        header: t("locks.opens"),
        sortable: true,
        value: (row) => row.validTo ?? "9",
        cell: (row) => windowText(row.validFrom, row.validTo, timeZone),
      },
      {
        id: "state",
        header: t("locks.state"),
        sortable: true,
        value: (row) => row.state,
        cell: (row) => <CredentialChip credential={row} />,
      },
    ],
    [t, timeZone],
  );
  return (
    <DataTable
      label={t("locks.credentials")}
      columns={columns}
      rows={lock.credentials}
      rowId={(row) => String(row.id)}
      empty={{ icon: KeyRound, title: t("locks.noCredentials"), description: t("locks.noCredentialsText") }}
      toolbar={
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="text-lg font-semibold">{t("locks.credentials")}</h2>
          <p className="text-sm text-pretty text-muted-foreground">{t("locks.credentialsText")}</p>
        </div>
      }
    />
  );
}
