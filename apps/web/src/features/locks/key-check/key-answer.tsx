import type { KeyVerdict } from "@innkey/shared/schemas/access/locks";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleHelp, CircleX, DoorOpen, type LucideIcon, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { spokenParams } from "@/entities/lock/lock-words.ts";
import { openDoorInPassing } from "@/entities/lock/open-door.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { cn } from "@/lib/cn.ts";
import { formatDateTime } from "@/lib/format.ts";
import { type TextParams, textOf, useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Button } from "@/ui/primitives/button.tsx";

type KeyAnswerProps = { verdict: KeyVerdict; onRetried: () => void; onClose: () => void };

function lookOf(verdict: KeyVerdict["verdict"]): { icon: LucideIcon; box: string; ink: string } {
  if (verdict === "works") return { icon: CircleCheck, box: "bg-vacant-soft", ink: "text-vacant" };
  if (verdict === "lock_offline" || verdict === "should_work")
    return { icon: WifiOff, box: "bg-danger-soft", ink: "text-danger" };
  if (verdict === "no_lock" || verdict === "room_empty" || verdict === "card_unknown" || verdict === "no_key")
    return { icon: CircleHelp, box: "bg-checked-in-soft", ink: "text-checked-in" };
  return { icon: CircleX, box: "bg-expired-soft", ink: "text-expired" };
}

/**
 * Explains why a key doesn't work and offers one action that solves it. It doesn't offer to open a lock that can't be
 * reached.
 */
export function KeyAnswer({ verdict, onRetried, onClose }: KeyAnswerProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const can = useCan();
  const { icon: Icon, box, ink } = lookOf(verdict.verdict);
  const params = spokenParams({ roomName: verdict.roomName ?? "", ...verdict.params }, timeZone);
  const door = doorOf(verdict);
  return (
    <div className="grid gap-4">
      <div className={cn("flex gap-3.5 rounded-lg px-4 py-4", box)}>
        <Icon aria-hidden className={cn("mt-0.5 size-6 shrink-0", ink)} />
        <div className="min-w-0">
          <p className={cn("text-lg font-semibold text-balance", ink)}>{answerText(verdict, "title", params)}</p>
          <p className="mt-1 text-pretty">{answerText(verdict, "text", params)}</p>
          {verdict.offlineSince && !("since" in verdict.params) && (
            <p className="mt-1 text-pretty">
              {t("locks.check.offline", { since: formatDateTime(verdict.offlineSince, timeZone) })}
            </p>
          )}
        </div>
      </div>
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:flex-wrap sm:justify-end">
        {verdict.roomId !== null && (
          <Button asChild variant="ghost">
            <Link to="/room/$roomId" params={{ roomId: verdict.roomId }} onClick={onClose}>
              {t("board.openRoom")}
            </Link>
          </Button>
        )}
        {door && can("locks.open") && verdict.mend !== "open_door" && verdict.verdict !== "lock_offline" && (
          <ActionButton variant="outline" onClick={() => void openDoorInPassing(door)}>
            <DoorOpen aria-hidden />
            {t("locks.mend.open_door")}
          </ActionButton>
        )}
        <Mend verdict={verdict} onRetried={onRetried} onClose={onClose} />
      </div>
    </div>
  );
}

/** Returns the text of the answer. Codes and faces have their own wording where it differs from that of cards. */
export function answerText(
  { verdict, style }: Pick<KeyVerdict, "verdict" | "style">,
  part: "title" | "text",
  params: TextParams,
): string {
  return textOf(`locks.verdictOf.${style}.${verdict}.${part}`, params, `locks.verdict.${verdict}.${part}`);
}

function doorOf({ roomId, roomName, lockId, offlineSince }: KeyVerdict) {
  if (roomId === null || roomName === null || lockId === null || offlineSince !== null) return null;
  return { roomId, roomName, lockId };
}

function Mend({ verdict, onRetried, onClose }: KeyAnswerProps): ReactNode {
  const { t } = useTranslation();
  const can = useCan();
  const stays = useStayActions();
  const retry = useMutation(
    trpc.locks.retry.mutationOptions({
      onSuccess: ({ retried }) => toast.success(retried > 0 ? t("locks.retried") : t("locks.nothingWaits")),
      onSettled: () => {
        onRetried();
      },
    }),
  );
  const { mend, stayId, roomId, lockId } = verdict;
  if (mend === "none") return null;
  const label = t(`locks.mend.${mend}`);
  const act = (onClick: () => void, pending = false): ReactNode => (
    <ActionButton pending={pending} onClick={onClick}>
      {label}
    </ActionButton>
  );
  switch (mend) {
    case "write_card":
      return stayId !== null && can("cards.issue") && act(() => stays.writeCard(stayId));
    case "renew":
      return stayId !== null && can("stays.manage") && act(() => stays.renew(stayId));
    case "check_in":
      if (!can("stays.manage")) return null;
      if (stayId !== null) return act(() => stays.arrive(stayId));
      return roomId !== null && act(() => stays.checkIn(roomId));
    case "open_door": {
      const door = doorOf(verdict);
      return door && can("locks.open") && act(() => void openDoorInPassing(door));
    }
    case "retry_lock":
      return lockId !== null && can("locks.retry") && act(() => retry.mutate({ lockId }), retry.isPending);
    case "replace_battery":
    case "set_up_lock":
      return (
        lockId !== null && (
          <Button asChild>
            <Link to="/locks/$lockId" params={{ lockId }} onClick={onClose}>
              {t("locks.check.toLock")}
            </Link>
          </Button>
        )
      );
    case "add_lock":
      return (
        can("locks.manage") && (
          <Button asChild>
            <Link to="/locks" onClick={onClose}>
              {label}
            </Link>
          </Button>
        )
      );
  }
}
