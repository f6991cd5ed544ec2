import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "@/lib/i18n.ts";
import { useDebounced } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { Combobox } from "@/ui/form/combobox.tsx";
import type { FieldControl } from "@/ui/form/field.tsx";

type Chosen = { id: number; name: string } | null;
type Control = FieldControl<number | null>;
type CustomerComboboxProps = Pick<Control, "value" | "onChange"> &
  Partial<Control> & {
    /** The one a stay already has: it may be on no page of the list. */ current?: Chosen;
  };

const OFFERED = 20;

/** Chooses the customer of a stay by name, company or phone. */
export function CustomerCombobox({ current = null, onChange, ...control }: CustomerComboboxProps) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<Chosen>(current);
  const keyword = useDebounced(typed.trim());
  const { data, isFetching } = useQuery(
    trpc.customers.list.queryOptions({ keyword, pageSize: OFFERED }, { placeholderData: keepPreviousData }),
  );
  const matches = (data?.rows ?? []).filter((customer) => !customer.frozen);
  const missing =
    chosen && !matches.some((customer) => customer.id === chosen.id) ? [{ value: chosen.id, label: chosen.name }] : [];
  const options = [
    ...missing,
    ...matches.map(({ id, name, company }) => ({
      value: id,
      label: name,
      detail: company === name ? undefined : company,
    })),
  ];

  return (
    <Combobox
      {...control}
      clearable
      onSearch={setTyped}
      loading={isFetching || keyword !== typed.trim()}
      placeholder={t("customer.none")}
      searchPlaceholder={t("customer.search")}
      options={options}
      onChange={(id) => {
        const customer = matches.find((row) => row.id === id);
        setChosen(customer ?? (id === null ? null : chosen));
        onChange(id);
      }}
    />
  );
}
