import type { matchingGuest } from "@innkey/shared/schemas/stays";
import { useQuery } from "@tanstack/react-query";
import { UserRoundCheck } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import type { z } from "zod";
import { cn } from "@/lib/cn.ts";
import { formatDate } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { countryName } from "@/ui/form/countries.ts";
import type { FieldControl } from "@/ui/form/field.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { useDebounced } from "@/ui/use-debounced.ts";

export type MatchingGuest = z.output<typeof matchingGuest>;
type GuestNameInputProps = FieldControl<string> & { onKnown: (guest: MatchingGuest) => void };

const SEARCH_FROM_LETTERS = 2;
const MAX_SUGGESTIONS = 6;

/** A name, or the name, phone or document number of someone who has stayed before: choosing them fills the rest in. */
export function GuestNameInput({ onKnown, onChange, onBlur, value, ...control }: GuestNameInputProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const list = useId();
  const [typing, setTyping] = useState(false);
  const [active, setActive] = useState(-1);
  const query = useDebounced(value.trim());
  const searching = typing && query.length >= SEARCH_FROM_LETTERS;
  const matches = useQuery(trpc.guests.search.queryOptions({ query: query.slice(0, 80) }, { enabled: searching }));
  // Who was found for other letters is not offered for these: a guest's data would go into somebody else's stay.
  const current = searching && query === value.trim();
  const guests = current ? (matches.data ?? []).slice(0, MAX_SUGGESTIONS) : [];

  function close(): void {
    setTyping(false);
    setActive(-1);
  }

  function choose(guest: MatchingGuest): void {
    close();
    onKnown(guest);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (guests.length === 0) return;
    const chosen = guests[active];
    if (event.key === "ArrowDown") setActive((active + 1) % guests.length);
    else if (event.key === "ArrowUp") setActive((active <= 0 ? guests.length : active) - 1);
    else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Enter" && chosen) choose(chosen);
    else return;
    event.preventDefault();
  }

  return (
    <div className="relative">
      <Input
        {...control}
        value={value}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={guests.length > 0}
        aria-controls={list}
        aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
        onChange={(event) => {
          setTyping(true);
          setActive(-1);
          onChange(event);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close();
          onBlur();
        }}
      />
      <div
        id={list}
        role="listbox"
        aria-label={t("guest.stayedBefore")}
        hidden={guests.length === 0}
        className="absolute inset-x-0 top-full z-20 mt-1 rounded-lg border bg-popover p-1 shadow-float sm:min-w-96"
      >
        {guests.map((guest, index) => (
          <div
            key={guest.guestId}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(guest);
            }}
            onPointerEnter={() => setActive(index)}
            className={cn(
              "flex min-h-11 cursor-default items-center gap-3 rounded-sm px-2 py-1.5",
              index === active && "bg-hover",
            )}
          >
            <UserRoundCheck aria-hidden className="size-4 shrink-0 text-muted-foreground" />
            <span className="min-w-0 flex-1">
              <span dir="auto" className="name-run block truncate font-medium">
                {guest.name}
              </span>
              <span className="block truncate text-sm text-muted-foreground">
                {[guest.nationality && countryName(guest.nationality), guest.mobile, guest.documentNumber]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </span>
            {guest.lastStayAt && (
              <span className="shrink-0 text-sm text-muted-foreground">{formatDate(guest.lastStayAt, timeZone)}</span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
