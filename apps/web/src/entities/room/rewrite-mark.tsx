import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { CreditCard } from "lucide-react";
import { t } from "@/lib/i18n.ts";
import { StatusChip } from "@/ui/status-chip.tsx";

/** Says that a card of the party in the room must be written again. Renders nothing while all fit. */
export function RewriteMark({ room }: { room: Pick<BoardRoom, "cardsToRewrite"> }) {
  if (room.cardsToRewrite === 0) return null;
  return (
    <StatusChip tone="expired" size="sm" icon={CreditCard} className="print:border print:border-current">
      {t("board.writeAgain")}
    </StatusChip>
  );
}
