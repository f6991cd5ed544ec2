import { BedDouble, Snowflake } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { StatusChip } from "@/ui/primitives/status-chip.tsx";

type CustomerChipProps = { customer: { frozen: boolean; inHouse: boolean }; size?: "sm" | "md" };

/** Shows that a customer is frozen or staying in the hotel; otherwise renders nothing. */
export function CustomerChip({ customer, size }: CustomerChipProps) {
  const { t } = useTranslation();
  if (customer.frozen) {
    return (
      <StatusChip tone="neutral" icon={Snowflake} size={size}>
        {t("customer.frozen")}
      </StatusChip>
    );
  }
  if (!customer.inHouse) return null;
  return (
    <StatusChip tone="checkedIn" icon={BedDouble} size={size}>
      {t("customer.inHouse")}
    </StatusChip>
  );
}
