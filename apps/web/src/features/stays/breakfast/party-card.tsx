import type { BreakfastGuest } from "@innkey/shared/schemas/stays/breakfast";
import { Check, CheckCheck } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { ActionButton, useUnreachableProps } from "@/ui/action/action-button.tsx";
import type { Party } from "./parties.ts";

type PartyCardProps = {
  party: Party;
  /** True if the date is still in the future. */
  locked: boolean;
  onTick: (stayGuestIds: number[], used: boolean) => void;
};

/** One room at breakfast. Its buttons are large enough for a finger on a tablet. */
export function PartyCard({ party: { roomName, guests }, locked, onTick }: PartyCardProps) {
  const unservedIds = guests.filter(({ usedAt }) => usedAt === null).map(({ stayGuestId }) => stayGuestId);
  return (
    <li
      className={cn(
        "flex flex-col rounded-lg border bg-card p-3 shadow-card [contain-intrinsic-size:auto_9rem] [content-visibility:auto]",
        unservedIds.length === 0 && "bg-sunken shadow-none",
      )}
    >
      <div className="mb-2 flex min-h-9 items-center justify-between gap-3">
        <h2 className="figures min-w-0 truncate text-xl">
          <bdi>{roomName}</bdi>
        </h2>
        {unservedIds.length > 1 && (
          <ActionButton
            variant="outline"
            size="sm"
            disabled={locked}
            aria-label={`${t("breakfast.tickParty")}: ${roomName}`}
            onClick={() => onTick(unservedIds, true)}
          >
            <CheckCheck aria-hidden />
            {t("breakfast.tickParty")}
          </ActionButton>
        )}
      </div>
      <ul className="grid gap-2">
        {guests.map((guest) => (
          <li key={guest.stayGuestId}>
            <GuestButton
              guest={guest}
              locked={locked}
              onClick={() => onTick([guest.stayGuestId], guest.usedAt === null)}
            />
          </li>
        ))}
      </ul>
    </li>
  );
}

function GuestButton({ guest, locked, onClick }: { guest: BreakfastGuest; locked: boolean; onClick: () => void }) {
  const { timeZone } = useHotel();
  const { name, state, usedAt, operatorName } = guest;
  const isServed = usedAt !== null;
  const away = useUnreachableProps(true);
  const notes = [
    state !== "in" && t(`breakfast.${state}`),
    isServed && [formatTime(usedAt, timeZone), operatorName].filter(Boolean).join(" · "),
  ].filter(Boolean);
  return (
    <button
      type="button"
      aria-pressed={isServed}
      disabled={locked}
      aria-disabled={away !== null || undefined}
      onClick={away ? undefined : onClick}
      className={cn(
        "flex min-h-14 w-full items-center gap-3 rounded-md border border-border bg-card px-3 py-2 text-start hover:border-input disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60",
        isServed && "border-transparent bg-vacant-soft",
      )}
      {...away}
    >
      <span
        aria-hidden
        className={cn(
          "grid size-7 shrink-0 place-items-center rounded-md border-2 border-input text-transparent",
          isServed && "border-vacant bg-vacant text-background",
        )}
      >
        <Check className="size-4" strokeWidth={3} />
      </span>
      <span className="min-w-0 flex-1">
        <span dir="auto" className={cn("name-run block truncate font-medium", isServed && "text-vacant")}>
          {name}
        </span>
        {notes.length > 0 && <span className="block text-sm text-muted-foreground">{notes.join(" · ")}</span>}
      </span>
    </button>
  );
}
