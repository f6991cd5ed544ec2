import type { LockDetail } from "@innkey/shared/schemas/access/locks";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  Ban,
  Check,
  Circle,
  CircleX,
  DoorOpen,
  Ellipsis,
  KeyRound,
  ListRestart,
  LoaderCircle,
  MessageSquareText,
  Pencil,
  RefreshCw,
  Replace,
  ScanSearch,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { BlockOutCallout } from "@/entities/lock/block-out-callout.tsx";
import { lockErrorText } from "@/entities/lock/lock-labels.ts";
import { hasEnded, type Opening, openDoor } from "@/entities/lock/open-door.ts";
import { useLockActs } from "@/entities/lock/use-lock-acts.ts";
import { cn } from "@/lib/cn.ts";
import { formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useMe } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { ActionMenuItem } from "@/ui/action/action-menu-item.tsx";
import { Callout } from "@/ui/callout.tsx";
import { Can } from "@/ui/can.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";
import { LockState } from "./lock-reach.tsx";

const STEPS = ["queued", "sent", "opened"] as const;

/** Shows the progress and result of a remote opening. */
function OpeningSteps({ opening: { state, failed, text, cancel } }: { opening: Opening }) {
  const opened = state === "acknowledged";
  const doneCount = opened ? STEPS.length : state === "sent" ? 2 : 1;
  return (
    <div
      role="status"
      className={cn(
        "flex flex-wrap items-center gap-x-6 gap-y-2 rounded-lg border px-4 py-3",
        failed ? "bg-danger-soft" : opened ? "bg-vacant-soft" : "bg-card",
      )}
    >
      {failed ? (
        <CircleX aria-hidden className="size-5 shrink-0 text-danger" />
      ) : opened ? (
        <DoorOpen aria-hidden className="size-5 shrink-0 text-vacant" />
      ) : state === "cancelled" ? (
        <Ban aria-hidden className="size-5 shrink-0 text-muted-foreground" />
      ) : (
        <LoaderCircle
          aria-hidden
          className="size-5 shrink-0 animate-spin text-muted-foreground motion-reduce:animate-none"
        />
      )}
      <p className={cn("min-w-0 flex-1 font-medium", failed && "text-danger", opened && "text-vacant")}>{text}</p>
      {!failed && state !== "cancelled" && (
        <ol className="flex gap-4 text-sm">
          {STEPS.map((step, index) => {
            const done = index < doneCount;
            const Icon = done ? Check : Circle;
            return (
              <li key={step} className={cn("flex items-center gap-1.5", !done && "text-muted-foreground")}>
                <Icon aria-hidden className="size-4" />
                {t(`locks.door.step.${step}`)}
              </li>
            );
          })}
        </ol>
      )}
      {cancel && (
        <Button variant="outline" size="sm" onClick={cancel}>
          {t("common.cancel")}
        </Button>
      )}
    </div>
  );
}

export type LockDialogKind = "edit" | "connect" | "displayText" | "replace";

type LockHeaderProps = { lock: LockDetail; onDialog: (dialog: LockDialogKind) => void };

export function LockHeader({ lock, onDialog }: LockHeaderProps) {
  const [opening, setOpening] = useState<Opening | null>(null);
  const acts = useLockActs();
  const { id, roomId, doorId, roomName } = lock;
  const isOpening = opening !== null && !hasEnded(opening.state);

  function open(): void {
    if (roomName === null) return;
    const place = roomId !== null ? { roomId } : doorId !== null ? { doorId } : null;
    if (!place) return;
    setOpening({ state: "queued", failed: false, text: t("locks.door.queued", { room: roomName }) });
    void openDoor({ ...place, roomName, lockId: id }, setOpening).then((wasAsked) => !wasAsked && setOpening(null));
  }

  return (
    <>
      <PageHeader
        title={
          roomName && roomId !== null ? (
            <Link to="/room/$roomId" params={{ roomId }} className="rounded-sm hover:underline">
              {t("locks.ofRoom", { room: roomName })}
            </Link>
          ) : roomName ? (
            t("locks.ofDoor", { door: roomName })
          ) : (
            <bdi className="font-mono">{lock.mac}</bdi>
          )
        }
        status={<LockState lock={lock} size="md" />}
        description={
          lock.online || !lock.lastSeenAt ? undefined : t("locks.seen", { when: formatRelative(lock.lastSeenAt) })
        }
        actions={
          <>
            {(lock.waiting > 0 || lock.breakerOpenedAt) && (
              <Can capability="locks.retry">
                <ActionButton variant="outline" pending={acts.isRetrying} onClick={() => acts.tryNow(lock)}>
                  <RefreshCw aria-hidden />
                  {t("locks.tryNow")}
                </ActionButton>
              </Can>
            )}
            {(roomId !== null || doorId !== null) && (
              <Can capability="locks.open">
                <ActionButton pending={isOpening} onClick={open}>
                  <DoorOpen aria-hidden />
                  {t("locks.door.act")}
                </ActionButton>
              </Can>
            )}
            <Menu
              lock={lock}
              onDialog={onDialog}
              onReset={() => acts.askToResetSequence(lock)}
              onRemove={() => acts.askToRemove(lock, true)}
            />
          </>
        }
      />
      <div aria-live="polite" className="grid gap-3 not-empty:mb-5">
        {opening && <OpeningSteps opening={opening} />}
        <BlockOutCallout lock={lock} />
        {lock.breakerOpenedAt && (
          <Callout tone="warning" title={t("locks.stoppedTitle")}>
            {[lockErrorText(lock.lastError), t("locks.stoppedText")].filter(Boolean).join(" ")}
          </Callout>
        )}
        {!lock.configuredAt && !lock.breakerOpenedAt && (
          <Callout tone="info" title={t("locks.notSetUpTitle")}>
            {t("locks.notSetUpText")}
          </Callout>
        )}
      </div>
    </>
  );
}

type MenuProps = LockHeaderProps & { onReset: () => void; onRemove: () => void };

function Menu({ lock, onDialog, onReset, onRemove }: MenuProps) {
  const { role } = useMe();
  const readBack = useMutation(
    trpc.locks.readBack.mutationOptions({
      onSuccess: () => toast.success(t("locks.asked")),
    }),
  );
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline" size="icon" aria-label={t("common.actions")}>
          <Ellipsis aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="min-w-56">
        {lock.roomId !== null && (
          <Can capability="locks.open">
            <ActionMenuItem icon={MessageSquareText} onSelect={() => onDialog("displayText")}>
              {t("locks.notice.title")}
            </ActionMenuItem>
          </Can>
        )}
        <Can capability="locks.manage">
          <ActionMenuItem icon={ScanSearch} onSelect={() => readBack.mutate({ lockId: lock.id })}>
            {t("locks.ask")}
          </ActionMenuItem>
          {lock.driver === "mqtt" && (
            <ActionMenuItem icon={KeyRound} onSelect={() => onDialog("connect")}>
              {t("locks.connect.open")}
            </ActionMenuItem>
          )}
          <ActionMenuItem icon={Pencil} onSelect={() => onDialog("edit")}>
            {t("common.edit")}
          </ActionMenuItem>
          {(lock.roomId !== null || lock.doorId !== null) && (
            <ActionMenuItem icon={Replace} onSelect={() => onDialog("replace")}>
              {t("locks.replace.open")}
            </ActionMenuItem>
          )}
          <DropdownMenuSeparator />
          {lock.driver === "mqtt" && role === "owner" && (
            <ActionMenuItem icon={ListRestart} danger onSelect={onReset}>
              {t("locks.resetSequence.open")}
            </ActionMenuItem>
          )}
          <ActionMenuItem icon={Trash2} danger onSelect={onRemove}>
            {t("locks.remove")}
          </ActionMenuItem>
        </Can>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
