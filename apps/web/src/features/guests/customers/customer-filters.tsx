import { useTranslation } from "@/lib/i18n.ts";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import { Select } from "@/ui/primitives/select.tsx";
import { CUSTOMER_KINDS, CUSTOMER_STATES, type CustomerSearch } from "./customer-search.ts";

const ALL = "all";

type CustomerFiltersProps = { search: CustomerSearch; onChange: (patch: CustomerSearch) => void };

/** People or companies, frozen or not. */
export function CustomerFilters({ search, onChange }: CustomerFiltersProps) {
  const { t } = useTranslation();
  return (
    <>
      <Segmented
        aria-label={t("customer.kind")}
        value={search.kind ?? ALL}
        onChange={(kind) => onChange({ kind: kind === ALL ? undefined : kind })}
        options={[
          { value: ALL, label: t("guest.all") },
          ...CUSTOMER_KINDS.map((kind) => ({ value: kind, label: t(`customer.kindsOf.${kind}`) })),
        ]}
      />
      <Select
        aria-label={t("customer.state")}
        className="w-auto min-w-36"
        value={search.state ?? ALL}
        onChange={(state) => onChange({ state: state === ALL ? undefined : state })}
        options={[
          { value: ALL, label: t("customer.stateOf.all") },
          ...CUSTOMER_STATES.map((state) => ({ value: state, label: t(`customer.stateOf.${state}`) })),
        ]}
      />
    </>
  );
}
