import type { KeyVerdict } from "@innkey/shared/schemas/access/locks";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleHelp, CircleX, DoorOpen, Keyboard, type LucideIcon, Nfc, WifiOff } from "lucide-react";
import { type ReactNode, useEffect, useId, useMemo, useState } from "react";
import {
  cardReader,
  readCard,
  useReaderSettings,
  useReading,
  useTypedNumbers,
} from "@/entities/card-reader/card-reader.ts";
import { ReaderFailure } from "@/entities/card-reader/card-reader-status.tsx";
import { displayParams } from "@/entities/lock/lock-labels.ts";
import { type Door, openDoorWithToast } from "@/entities/lock/open-door.ts";
import { boardQuery } from "@/entities/room/board-query.ts";
import { type CardToCheck, type KeyToCheck, useStayActions } from "@/entities/stay/stay-actions.tsx";
import { cn } from "@/lib/cn.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatDateTime, joinItems } from "@/lib/format.ts";
import { type TextParams, t, textOf } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

type KeyAnswerProps = { verdict: KeyVerdict; onRetried: () => void; onClose: () => void };

function styleOf(verdict: KeyVerdict["verdict"]): { icon: LucideIcon; background: string; textColor: string } {
  if (verdict === "works") return { icon: CircleCheck, background: "bg-vacant-soft", textColor: "text-vacant" };
  if (verdict === "lock_offline" || verdict === "should_work")
    return { icon: WifiOff, background: "bg-danger-soft", textColor: "text-danger" };
  if (verdict === "no_lock" || verdict === "room_empty" || verdict === "card_unknown" || verdict === "no_key")
    return { icon: CircleHelp, background: "bg-checked-in-soft", textColor: "text-checked-in" };
  return { icon: CircleX, background: "bg-expired-soft", textColor: "text-expired" };
}

/**
 * Explains why a key doesn't work and offers one action that solves it. It doesn't offer to open a lock that can't be
 * reached.
 */
function KeyAnswer({ verdict, onRetried, onClose }: KeyAnswerProps) {
  const { timeZone } = useHotel();
  const can = useCan();
  const { icon: Icon, background, textColor } = styleOf(verdict.verdict);
  const params = displayParams({ roomName: verdict.roomName ?? "", ...verdict.params }, timeZone);
  const door = doorOf(verdict);
  return (
    <div className="grid gap-4">
      <div className={cn("flex gap-3.5 rounded-lg px-4 py-4", background)}>
        <Icon aria-hidden className={cn("mt-0.5 size-6 shrink-0", textColor)} />
        <div className="min-w-0">
          <p className={cn("text-lg font-semibold text-balance", textColor)}>{answerText(verdict, "title", params)}</p>
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
          <ActionButton variant="outline" onClick={() => void openDoorWithToast(door)}>
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
function answerText(
  { verdict, style }: Pick<KeyVerdict, "verdict" | "style">,
  part: "title" | "text",
  params: TextParams,
): string {
  return textOf(`locks.verdictOf.${style}.${verdict}.${part}`, params, `locks.verdict.${verdict}.${part}`);
}

function doorOf({ roomId, doorId, roomName, lockId, offlineSince }: KeyVerdict): Door | null {
  if (roomName === null || lockId === null || offlineSince !== null) return null;
  if (doorId !== null) return { doorId, roomName, lockId };
  return roomId === null ? null : { roomId, roomName, lockId };
}

function Mend({ verdict, onRetried, onClose }: KeyAnswerProps): ReactNode {
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
  const button = (onClick: () => void, pending = false): ReactNode => (
    <ActionButton pending={pending} onClick={onClick}>
      {label}
    </ActionButton>
  );
  switch (mend) {
    case "write_card":
      return stayId !== null && can("cards.issue") && button(() => stays.writeCard(stayId));
    case "renew":
      return stayId !== null && can("stays.manage") && button(() => stays.renew(stayId));
    case "check_in":
      if (!can("stays.manage")) return null;
      if (stayId !== null) return button(() => stays.arrive(stayId));
      return roomId !== null && button(() => stays.checkIn(roomId));
    case "open_door": {
      const door = doorOf(verdict);
      return door && can("locks.open") && button(() => void openDoorWithToast(door));
    }
    case "retry_lock":
      return lockId !== null && can("locks.retry") && button(() => retry.mutate({ lockId }), retry.isPending);
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

type KeyQuestionProps = { value: KeyToCheck; onAsk: (key: KeyToCheck) => void };

/** Asks which key to check: the card in the guest's hand, or the keys of a room. */
function KeyQuestion({ value, onAsk }: KeyQuestionProps) {
  const fieldId = useId();
  const { source } = useReaderSettings();
  const { busy, failure } = useReading();
  const { data: board } = useQuery(boardQuery);
  useTypedNumbers(source === "keyboard");
  useEffect(() => cardReader.onCard(({ uid }) => onAsk({ number: uid })), [onAsk]);
  const rooms = useMemo(
    () =>
      (board?.rooms ?? []).map(({ id, name, remarkName, current }) => ({
        value: id,
        label: name,
        detail: current?.guestName ?? remarkName,
        keywords: [remarkName, current?.guestName ?? ""],
      })),
    [board],
  );
  return (
    <div className="grid gap-4">
      {source === "keyboard" ? (
        <p className="flex items-center gap-3 rounded-md bg-sunken px-3.5 py-3" role="status">
          <Keyboard aria-hidden className="size-5 shrink-0 text-muted-foreground" />
          {t("reader.keyboardReady")}
        </p>
      ) : (
        <ActionButton variant="outline" size="lg" aria-busy={busy} onClick={() => void readCard()}>
          <Nfc aria-hidden className={busy ? "animate-pulse motion-reduce:animate-none" : undefined} />
          {busy ? t("reader.reading") : t("locks.check.readCard")}
        </ActionButton>
      )}
      {failure && <ReaderFailure failure={failure} />}
      <div className="grid gap-1.5">
        <Label htmlFor={fieldId}>{t("locks.check.orRoom")}</Label>
        <Combobox
          id={fieldId}
          options={rooms}
          value={value && "roomId" in value ? value.roomId : null}
          onChange={(roomId) => roomId !== null && onAsk({ roomId })}
        />
      </div>
    </div>
  );
}

/** Explains why a key doesn't work and how to solve it. Without a given key, it first asks which one. */
export function KeyCheck({ target, onClose }: { target: KeyToCheck; onClose: () => void }) {
  const [key, setKey] = useState(target);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t("nav.keyCheck")}
        description={target ? undefined : t("locks.check.text")}
        startsAtField={target === null}
      >
        <div className="grid gap-5">
          {!target && <KeyQuestion value={key} onAsk={setKey} />}
          {key && <KeyResult key={JSON.stringify(key)} target={key} onClose={onClose} />}
          {key && "number" in key && <CommonDoorChoice value={key} onAsk={setKey} />}
        </div>
      </DialogPanel>
    </Dialog>
  );
}

/** Asks for the same card at a common door; its own door comes first. Whoever sees certain rooms alone has no choice. */
function CommonDoorChoice({ value, onAsk }: { value: CardToCheck; onAsk: (key: KeyToCheck) => void }) {
  const fieldId = useId();
  const { data: doors = [] } = useQuery(trpc.doors.list.queryOptions());
  if (doors.length === 0) return null;
  const { number, doorId = null } = value;
  return (
    <div className="grid gap-1.5">
      <Label htmlFor={fieldId}>{t("locks.check.atDoor")}</Label>
      <Combobox
        id={fieldId}
        options={doors.map(({ id, name, zones }) => ({ value: id, label: name, detail: joinItems(zones) }))}
        value={doorId}
        onChange={(id) => onAsk(id === null ? { number } : { number, doorId: id })}
      />
    </div>
  );
}

function KeyResult({ target, onClose }: { target: NonNullable<KeyToCheck>; onClose: () => void }) {
  const explanation = useQuery(
    trpc.locks.explain.queryOptions(target, {
      staleTime: 0,
      refetchInterval: BY_TIME_MILLISECONDS,
      placeholderData: keepPreviousData,
    }),
  );
  const verdict: KeyVerdict | undefined = explanation.data;
  return (
    <div aria-live="polite" className="min-h-36">
      {verdict ? (
        <KeyAnswer verdict={verdict} onRetried={() => void explanation.refetch()} onClose={onClose} />
      ) : explanation.error ? (
        <ErrorState error={explanation.error} onRetry={() => void explanation.refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-36" />
      )}
    </div>
  );
}
