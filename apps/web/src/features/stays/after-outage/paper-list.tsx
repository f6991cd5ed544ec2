import type { PaperConflict, PaperRow } from "@innkey/shared/schemas/overview/outage";
import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, KeyRound, X } from "lucide-react";
import type { ReactNode } from "react";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import type { KeptRow } from "@/lib/offline/kept-paper.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { ACT_LABELS } from "./paper-form.tsx";

/** What was found out about a row; a refusal is a sentence of the act itself. */
export type RowState = { conflicts: readonly PaperConflict[]; refusal: string | null };

type PaperListProps = {
  rows: readonly KeptRow[];
  states: ReadonlyMap<string, RowState>;
  nameOf: (roomId: number) => string;
  onRemove: (id: string) => void;
};

/** The rows in the order in which they are applied, each with what speaks against it. */
export function PaperList({ rows, states, nameOf, onRemove }: PaperListProps) {
  return (
    <ol className="divide-y border-t">
      {rows.map(({ id, row, stayId }) => (
        <li key={id} className="flex items-start gap-3 px-5 py-3">
          <div className="min-w-0 flex-1">
            <RowWords row={row} nameOf={nameOf} />
            {stayId === null ? <Standing state={states.get(id)} /> : <Applied row={row} stayId={stayId} />}
          </div>
          <IconButton icon={X} size="icon-sm" label={t("guest.remove")} onClick={() => onRemove(id)} />
        </li>
      ))}
    </ol>
  );
}

function RowWords({ row, nameOf }: { row: PaperRow; nameOf: (roomId: number) => string }) {
  const { timeZone } = useHotel();
  const rooms = row.act === "change_room" ? [row.fromRoomId, row.roomId] : [row.roomId];
  const times = row.act === "check_in" ? [row.startsAt, row.endsAt] : [row.at];
  return (
    <>
      <p className="font-medium">
        {t(ACT_LABELS[row.act])} · {t("stay.room")} <bdi>{rooms.map(nameOf).join(" → ")}</bdi>
        {row.act === "check_in" && (
          <>
            {" · "}
            <bdi>{row.guestName}</bdi>
          </>
        )}
      </p>
      <p className="text-sm text-muted-foreground tabular-nums">
        <bdi>{times.map((at) => formatShort(at, timeZone)).join(" – ")}</bdi>
      </p>
    </>
  );
}

function Applied({ row, stayId }: { row: PaperRow; stayId: number }) {
  const { writeCard, createPasscode } = useStayActions();
  const can = useCan();
  const needsKey = row.act !== "check_out";
  return (
    <div className="mt-1 grid gap-1.5">
      <p className="flex items-center gap-1.5 text-sm text-vacant">
        <CircleCheck aria-hidden className="size-4 shrink-0" />
        {t("afterOutage.applied")}
      </p>
      {needsKey && (
        <div className="flex flex-wrap gap-2">
          {can("cards.issue") && (
            <Button variant="outline" size="sm" onClick={() => writeCard(stayId)}>
              <KeyRound aria-hidden />
              {t("card.write")}
            </Button>
          )}
          {can("passcodes.issue") && (
            <Button variant="outline" size="sm" onClick={() => createPasscode({ stayId })}>
              {t("passcode.newLong")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function Standing({ state }: { state: RowState | undefined }) {
  if (!state) return <p className="mt-1 text-sm text-muted-foreground">{t("afterOutage.notChecked")}</p>;
  const { conflicts, refusal } = state;
  if (conflicts.length === 0 && refusal === null) {
    return <p className="mt-1 text-sm text-muted-foreground">{t("afterOutage.ready")}</p>;
  }
  return (
    <ul className="mt-1 grid gap-1 text-sm text-danger">
      {refusal !== null && <Reason>{refusal}</Reason>}
      {conflicts.map((conflict) => (
        <Reason key={conflict.kind}>
          <ConflictWords conflict={conflict} /> <ConflictLink conflict={conflict} />
        </Reason>
      ))}
    </ul>
  );
}

function Reason({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-start gap-1.5">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 text-pretty">{children}</span>
    </li>
  );
}

function ConflictWords({ conflict: { kind, guestName, roomName, at } }: { conflict: PaperConflict }) {
  const { timeZone } = useHotel();
  const values = { guest: guestName ?? "–", room: roomName ?? "–", at: at ? formatShort(at, timeZone) : "–" };
  return t(`afterOutage.conflict.${kind}`, values);
}

const LINK = "font-medium text-foreground underline underline-offset-2";

/** Leads to where the conflict is solved, for those who may go there. */
function ConflictLink({ conflict: { kind, roomId, lockId } }: { conflict: PaperConflict }) {
  const can = useCan();
  if (kind === "lock_silent" && lockId !== null && can("locks.view")) {
    return (
      <Link to="/locks/$lockId" params={{ lockId }} className={LINK}>
        {t("afterOutage.openLock")}
      </Link>
    );
  }
  if (roomId === null) return null;
  const tab = kind === "opened_after" && can("unlocks.view") ? "unlocks" : undefined;
  return (
    <Link to="/room/$roomId" params={{ roomId }} search={{ tab }} className={LINK}>
      {t("board.openRoom")}
    </Link>
  );
}
