import { useId } from "react";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Checkbox } from "@/ui/primitives/checkbox.tsx";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import type { GuestCards } from "./use-guest-cards.ts";
import { WritingPanel } from "./writing-panel.tsx";

const COUNTS = ["1", "2", "3", "4"];
const MAX_COUNTS = 8;

/**
 * Asks for the number of cards and whether older ones are revoked, and shows the progress of the card on the reader.
 */
export function GuestCardFields({ cards, room, guests }: { cards: GuestCards; room: string; guests: number }) {
  const { t } = useTranslation();
  const id = useId();
  const { wanted, busy, written, more } = cards;
  const counts = Array.from({ length: Math.min(guests, MAX_COUNTS) }, (_, index) => String(index + 1));
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span id={`${id}-count`}>{t("card.howMany")}</span>
        <Segmented
          aria-labelledby={`${id}-count`}
          value={String(wanted)}
          onChange={(count) => cards.setWanted(Number(count))}
          disabled={busy}
          options={(counts.length > COUNTS.length ? counts : COUNTS).map((value) => ({
            value,
            label: formatNumber(Number(value)),
            disabled: Number(value) < written.length,
          }))}
        />
      </div>
      <div className="flex items-start gap-2.5">
        <Checkbox
          id={id}
          value={cards.disableOldCards}
          onChange={cards.setDisableOldCards}
          disabled={busy}
          aria-describedby={`${id}-hint`}
        />
        <div>
          <label htmlFor={id}>{t("card.disableOld")}</label>
          <p id={`${id}-hint`} className="text-sm text-muted-foreground">
            {t("card.disableOldHint")}
          </p>
        </div>
      </div>
      <WritingPanel
        progress={cards.progress}
        next={more && t("card.nextCard")}
        notYetOpening={cards.lockNotSetUp ? t("board.roomNamed", { name: room }) : undefined}
      />
    </div>
  );
}
