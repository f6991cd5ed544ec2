import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import type { FieldControl } from "@/ui/form/field.tsx";
import { Combobox } from "@/ui/primitives/combobox.tsx";
import { useDebounced } from "@/ui/use-debounced.ts";

type Chosen = { guestId: number; name: string };

const SEARCH_FROM_LETTERS = 2;

/** Somebody who stays or stayed here, found by name, phone or document. */
export function GuestCombobox({ onChange, ...control }: FieldControl<number | null>) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const query = useDebounced(typed.trim());
  const { data, isFetching } = useQuery(
    trpc.guests.search.queryOptions(
      { query: query.slice(0, 80) },
      { enabled: query.length >= SEARCH_FROM_LETTERS, placeholderData: keepPreviousData },
    ),
  );
  const guests = data ?? [];
  const known = chosen && !guests.some(({ guestId }) => guestId === chosen.guestId) ? [chosen] : [];
  return (
    <Combobox
      {...control}
      clearable
      onSearch={setTyped}
      loading={isFetching || query !== typed.trim()}
      placeholder={t("face.noGuest")}
      searchPlaceholder={t("guest.search")}
      options={[
        ...known.map(({ guestId, name }) => ({ value: guestId, label: name })),
        ...guests.map(({ guestId, name, mobile }) => ({ value: guestId, label: name, detail: mobile })),
      ]}
      onChange={(guestId) => {
        setChosen(guests.find((guest) => guest.guestId === guestId) ?? (guestId === null ? null : chosen));
        onChange(guestId);
      }}
    />
  );
}
