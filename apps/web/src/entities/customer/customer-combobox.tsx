import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "@/lib/i18n.ts";
import { useDebounced } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { Combobox } from "@/ui/form/combobox.tsx";
import type { FieldControl } from "@/ui/form/field.tsx";

type CustomerOption = { id: number; name: string } | null;
type Control = FieldControl<number | null>;
type CustomerComboboxProps = Pick<Control, "value" | "onChange"> &
  Partial<Control> & {
    /** The stay's current customer, which the results may not contain. */
    current?: CustomerOption;
  };

const MAX_OPTIONS = 20;

/** Chooses the customer of a stay by name, company or phone. */
export function CustomerCombobox({ current = null, onChange, ...control }: CustomerComboboxProps) {
  const [searchText, setSearchText] = useState("");
  const [selectedCustomer, setSelectedCustomer] = useState<CustomerOption>(current);
  const keyword = useDebounced(searchText.trim());
  const { data, isLoading, isPlaceholderData } = useQuery(
    trpc.customers.list.queryOptions({ keyword, pageSize: MAX_OPTIONS }, { placeholderData: keepPreviousData }),
  );
  const matches = (data?.rows ?? []).filter((customer) => !customer.frozen);
  const selectedOutsideResults =
    selectedCustomer && !matches.some((customer) => customer.id === selectedCustomer.id)
      ? [{ value: selectedCustomer.id, label: selectedCustomer.name }]
      : [];
  const options = [
    ...selectedOutsideResults,
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
      onSearch={setSearchText}
      loading={isLoading || isPlaceholderData || keyword !== searchText.trim()}
      placeholder={t("customer.none")}
      searchPlaceholder={t("customer.search")}
      options={options}
      onChange={(id) => {
        const customer = matches.find((row) => row.id === id);
        setSelectedCustomer(customer ?? (id === null ? null : selectedCustomer));
        onChange(id);
      }}
    />
  );
}
