import { addDays } from "@innkey/shared/hotel-time";
import type { ChangeTarget, Timeline, TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import { useCallback, useEffect, useRef, useState } from "react";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { TimelineLine } from "../grid/timeline-rows.ts";
import { barName, periodLabel } from "../timeline-labels.ts";
import { canShift, conflictsOf, type Draft, isChanged, isStayBar, nightsBetween, targetOf } from "./change-draft.ts";

const cellOf = ({ roomId, from }: { roomId: number; from: string }): string =>
  `[data-room="${roomId}"] [data-stop="cell:${from}"]`;

/**
 * Manages the draft of a change, which mouse and keyboard share, and the target whose preview is open. `mode` is true
 * while keys or the buttons of the mode bar move the draft.
 */
export function useChanges(timeline: Timeline | undefined, lines: readonly TimelineLine[], today: string) {
  const hotel = useHotel();
  const stays = useStayActions();
  const [draft, setDraft] = useState<Draft | null>(null);
  const [mode, setMode] = useState(false);
  const [target, setTarget] = useState<ChangeTarget | null>(null);
  const focusTarget = useRef<string | null>(null);

  const end = useCallback(() => {
    setDraft(null);
    setMode(false);
  }, []);

  /** Once no dialog or mode bar is open, the focus returns to where it was before. */
  useEffect(() => {
    if (mode || target || focusTarget.current === null) return;
    const element = document.querySelector<HTMLElement>(focusTarget.current);
    focusTarget.current = null;
    element?.focus();
  }, [mode, target]);

  const openPreview = useCallback(
    (finalDraft: Draft): void => {
      end();
      const { roomId, startsAt, endsAt } = targetOf(finalDraft, hotel);
      if (finalDraft.kind === "create") {
        if (mode) focusTarget.current = cellOf(finalDraft);
        stays.reserve(roomId, { startsAt, endsAt });
        return;
      }
      focusTarget.current = `[data-bar="${finalDraft.bar.occupancyId}"]`;
      if (isChanged(finalDraft)) setTarget({ stayId: finalDraft.bar.stay.stayId, roomId, startsAt, endsAt });
    },
    [end, hotel, stays, mode],
  );

  const drop = useCallback(
    (finalDraft: Draft): void => {
      if (isChanged(finalDraft)) openPreview(finalDraft);
      else end();
    },
    [openPreview, end],
  );

  const create = useCallback(
    (roomId: number, date: string): void => {
      if (date >= today) openPreview({ kind: "create", roomId, ...nightsBetween(date, date) });
    },
    [openPreview, today],
  );

  const begin = useCallback((bar: TimelineBar, kind: "move" | "extend"): void => {
    if (!isStayBar(bar)) return;
    setDraft(
      kind === "move" ? { kind, bar, roomId: bar.roomId, days: 0 } : { kind, bar, roomId: bar.roomId, steps: 0 },
    );
    setMode(true);
  }, []);

  const beginCreate = useCallback((roomId: number, date: string): void => {
    setDraft({ kind: "create", roomId, from: date, to: addDays(date, 2) });
    setMode(true);
  }, []);

  const cancel = useCallback((): void => {
    if (draft && draft.kind !== "create") focusTarget.current = `[data-bar="${draft.bar.occupancyId}"]`;
    if (draft?.kind === "create") focusTarget.current = cellOf(draft);
    end();
  }, [draft, end]);

  function step(steps: 1 | -1): void {
    if (draft?.kind === "create") {
      const to = addDays(draft.to, steps);
      if (to > draft.from) setDraft({ ...draft, to });
    }
    if (draft?.kind === "extend") setDraft({ ...draft, steps: draft.steps + steps });
    if (draft?.kind === "move" && canShift(draft.bar)) setDraft({ ...draft, days: draft.days + steps });
  }

  function row(rows: 1 | -1): void {
    if (draft?.kind !== "move") return;
    const rooms = lines.flatMap((line) => (line.kind === "room" ? [line.room.id] : []));
    const next = rooms[rooms.indexOf(draft.roomId) + rows];
    if (next === undefined) return;
    setDraft({ ...draft, roomId: next });
    document.querySelector(`[data-room="${next}"]`)?.scrollIntoView({ block: "nearest" });
  }

  const moveTarget = draft && targetOf(draft, hotel);
  const blocking = draft && moveTarget && timeline ? conflictsOf(timeline.bars, draft, moveTarget) : [];
  const room = timeline?.rooms.find(({ id }) => id === moveTarget?.roomId)?.name ?? "";
  const draftText = moveTarget
    ? [
        t("board.roomNamed", { name: room }),
        periodLabel(moveTarget.startsAt, moveTarget.endsAt, hotel.timeZone),
        ...blocking.slice(0, 1).map((bar) => t("timeline.takenBy", { name: barName(bar) })),
      ].join(", ")
    : "";

  return {
    draft,
    mode,
    target,
    draftText,
    blocked: blocking.length > 0,
    setDraft,
    openPreview,
    drop,
    create,
    begin,
    beginCreate,
    cancel,
    step,
    row,
    closePreview: () => setTarget(null),
  };
}
