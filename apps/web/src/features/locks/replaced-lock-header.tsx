import type { LockDetail } from "@innkey/shared/schemas/access/locks";
import { Link } from "@tanstack/react-router";
import { Replace } from "lucide-react";
import { formatDateTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Callout } from "@/ui/callout.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";

type ReplacedLockHeaderProps = { mac: string; successor: NonNullable<LockDetail["replacedBy"]> };

/** Says that the lock is on no door any more, and leads to the one that took its place. */
export function ReplacedLockHeader({ mac, successor }: ReplacedLockHeaderProps) {
  const { timeZone } = useHotel();
  return (
    <>
      <PageHeader
        title={<bdi className="font-mono">{mac}</bdi>}
        status={
          <StatusChip tone="neutral" icon={Replace}>
            {t("locks.replaced.chip")}
          </StatusChip>
        }
      />
      <Callout
        className="mb-5"
        tone="info"
        title={t("locks.replaced.title")}
        actions={
          <Link to="/locks/$lockId" params={{ lockId: successor.lockId }} className="font-medium hover:underline">
            {t("locks.replace.toNew")}
          </Link>
        }
      >
        {t("locks.replaced.text", {
          mac: `\u2068${successor.mac}\u2069`,
          when: formatDateTime(successor.at, timeZone),
        })}
      </Callout>
    </>
  );
}
