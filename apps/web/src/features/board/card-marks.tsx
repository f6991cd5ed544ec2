import type { KeyMark } from "@innkey/shared/schemas/overview/board-marks";
import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { Ban, Coffee, Coins, CreditCard, Hourglass, type LucideIcon } from "lucide-react";
import { LockMark } from "@/entities/lock/lock-mark.tsx";
import { isLockIll } from "@/entities/lock/lock-state.ts";
import { cn } from "@/lib/cn.ts";
import { formatMoney, formatPrice } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";

type MarkProps = { icon: LucideIcon; label: string; text?: string; className?: string };

/** An icon of its own shape, so that it is understood without its colour; its words appear on hover and on paper. */
function Mark({ icon: Icon, label, text, className }: MarkProps) {
  return (
    <span title={label} className={cn("inline-flex shrink-0 items-center gap-1 text-xs font-semibold", className)}>
      <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={2.25} />
      {text && <span aria-hidden>{text}</span>}
      <span className="sr-only print:not-sr-only">{label}</span>
    </span>
  );
}

/** What is missing of the guest's key: a card must be written again, the lock hasn't confirmed it, or there is none. */
export function keyMarkOf(room: BoardRoom, key: KeyMark | null): KeyMark | "again" | null {
  return room.cardsToRewrite > 0 ? "again" : key;
}

type CardMarksProps = { room: BoardRoom; keyMark: KeyMark | "again" | null; hasBreakfast: boolean };

/** What the desk should know of the guest's key, the lock and breakfast; nothing while all is well. */
export function CardMarks({ room, keyMark, hasBreakfast }: CardMarksProps) {
  return (
    <span className="flex shrink-0 items-center gap-1.5">
      {hasBreakfast && <Mark icon={Coffee} label={t("board.breakfast")} className="text-muted-foreground" />}
      {keyMark === "again" && (
        <Mark icon={CreditCard} label={t("board.cardsToRewrite")} text="!" className="text-expired" />
      )}
      {keyMark === "waiting" && <WaitingMark />}
      {room.lock?.blockedOutAt && <Mark icon={Ban} label={t("blockOut.mark")} className="text-danger" />}
      {isLockIll(room.lock) && <LockMark lock={room.lock} className="shrink-0 gap-1" />}
    </span>
  );
}

/** The lock hasn't confirmed the guest's key yet. */
export function WaitingMark() {
  return <Mark icon={Hourglass} label={t("board.keyWaits")} className="text-expired" />;
}

/** What the stay owes. */
export function OwedMark({ owedMinor, currency }: { owedMinor: number; currency: string }) {
  return (
    <Mark
      icon={Coins}
      label={t("board.owes", { amount: formatMoney(owedMinor, currency) })}
      text={formatPrice(owedMinor, currency)}
      className="text-danger tabular-nums"
    />
  );
}
