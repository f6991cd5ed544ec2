import { Ban } from "lucide-react";
import { formatDateTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { useLockActs } from "./use-lock-acts.ts";

type BlockOutCalloutProps = { lock: { id: number; blockedOutAt: string | null } | null; className?: string };

/** Says since when a block-out card keeps guests out of a door, and lifts that. Renders nothing otherwise. */
export function BlockOutCallout({ lock, className }: BlockOutCalloutProps) {
  const { timeZone } = useHotel();
  const can = useCan();
  const acts = useLockActs();
  if (lock === null || lock.blockedOutAt === null) return null;
  return (
    <Callout
      tone="warning"
      title={t("blockOut.title", { when: formatDateTime(lock.blockedOutAt, timeZone) })}
      className={className}
      actions={
        can("locks.open") && (
          <ActionButton variant="outline" size="sm" onClick={() => acts.askToLiftBlock(lock)}>
            <Ban aria-hidden />
            {t("blockOut.lift")}
          </ActionButton>
        )
      }
    >
      {t("blockOut.text")}
    </Callout>
  );
}
