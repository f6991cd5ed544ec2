import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Check, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import type { Draft } from "./change/change-draft.ts";
import { EARLIER, LATER } from "./grid/use-grid-keys.ts";

type ModeBarProps = {
  draft: Draft;
  /** Current position of the draft as text, and whether it is free. */
  words: string;
  blocked: boolean;
  onStep: (steps: 1 | -1) => void;
  onRow: (rows: 1 | -1) => void;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Moves or extends a stay without a mouse, by keyboard or with buttons for touch. */
export function ModeBar({ draft, words, blocked, onStep, onRow, onConfirm, onCancel }: ModeBarProps) {
  const { t } = useTranslation();
  const confirm = useRef<HTMLButtonElement>(null);
  const moves = draft.kind === "move";
  useEffect(() => confirm.current?.focus(), []);

  function press(event: KeyboardEvent): void {
    const { key } = event;
    const confirmed = event.target === confirm.current && (key === "Enter" || key === " ");
    if (confirmed) onConfirm();
    else if (key === LATER) onStep(1);
    else if (key === EARLIER) onStep(-1);
    else if (moves && key === "ArrowDown") onRow(1);
    else if (moves && key === "ArrowUp") onRow(-1);
    else if (key === "Escape") onCancel();
    else return;
    event.preventDefault();
  }

  return (
    <div
      role="toolbar"
      aria-label={t(`timeline.mode.${draft.kind}`)}
      onKeyDown={press}
      className="fixed inset-x-3 bottom-3 z-45 mx-auto flex max-w-2xl flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border bg-popover px-4 py-3 shadow-dialog"
    >
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-sm text-muted-foreground">{t(`timeline.mode.${draft.kind}`)}</p>
        <p className={cn("font-medium", blocked && "text-danger")}>{words}</p>
      </div>
      <div className="flex flex-wrap items-center gap-1">
        <IconButton icon={ArrowLeft} flip label={t("timeline.earlier")} onClick={() => onStep(-1)} />
        <IconButton icon={ArrowRight} flip label={t("timeline.later")} onClick={() => onStep(1)} />
        {moves && <IconButton icon={ArrowUp} label={t("timeline.roomAbove")} onClick={() => onRow(-1)} />}
        {moves && <IconButton icon={ArrowDown} label={t("timeline.roomBelow")} onClick={() => onRow(1)} />}
        <IconButton icon={X} label={t("common.cancel")} onClick={onCancel} />
        <Button ref={confirm} variant="primary" onClick={onConfirm}>
          <Check aria-hidden />
          {t("timeline.preview")}
        </Button>
      </div>
    </div>
  );
}
