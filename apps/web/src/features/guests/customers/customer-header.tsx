import type { CustomerDetail } from "@innkey/shared/schemas/stays/customers";
import { useNavigate } from "@tanstack/react-router";
import { BedDouble, Ellipsis, Pencil, Snowflake, Sun, Trash2 } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";
import { StatusChip } from "@/ui/primitives/status-chip.tsx";
import { useCustomerActs } from "./use-customer-acts.ts";

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

type CustomerHeaderProps = { customer: CustomerDetail; onEdit: () => void };

export function CustomerHeader({ customer, onEdit }: CustomerHeaderProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const manage = useCan()("customers.manage");
  const acts = useCustomerActs();
  const { name, company, kind, frozen } = customer;
  const leave = (): void => void navigate({ to: "/customer/customer", replace: true });
  return (
    <PageHeader
      title={
        <span dir="auto" className="name-run">
          {name}
        </span>
      }
      status={<CustomerChip customer={customer} />}
      description={company && company !== name ? company : t(`customer.kindOf.${kind}`)}
      actions={
        manage && (
          <>
            <Button needsServer onClick={onEdit}>
              <Pencil aria-hidden />
              {t("common.edit")}
            </Button>
            <DropdownMenu>
              <DropdownMenuTrigger asChild>
                <Button size="icon" aria-label={t("common.actions")}>
                  <Ellipsis aria-hidden />
                </Button>
              </DropdownMenuTrigger>
              <DropdownMenuContent align="end" className="min-w-48">
                <DropdownMenuItem
                  icon={frozen ? Sun : Snowflake}
                  danger={!frozen}
                  onSelect={() => acts.askToFreeze(customer)}
                >
                  {frozen ? t("customer.unfreeze") : t("customer.freeze")}
                </DropdownMenuItem>
                <DropdownMenuSeparator />
                <DropdownMenuItem icon={Trash2} danger onSelect={() => acts.askToRemove(customer, leave)}>
                  {t("customer.remove")}
                </DropdownMenuItem>
              </DropdownMenuContent>
            </DropdownMenu>
          </>
        )
      }
    />
  );
}
