import type { CustomerDetail } from "@innkey/shared/schemas/stays/customers";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BedDouble, Ellipsis, Pencil, Snowflake, Sun, Trash2 } from "lucide-react";
import { confirm } from "@/lib/confirm.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { ActionMenuItem } from "@/ui/action/action-menu-item.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";

type Customer = { id: number; name: string; frozen: boolean };

/** Actions on a customer; each asks for confirmation first. */
export function useCustomerActs() {
  const freeze = useMutation(trpc.customers.freeze.mutationOptions());
  const remove = useMutation(trpc.customers.remove.mutationOptions());

  function askToFreeze({ id, name, frozen }: Customer): void {
    void confirm({
      title: frozen ? t("customer.unfreezeTitle", { name }) : t("customer.freezeTitle", { name }),
      description: frozen ? t("customer.unfreezeText") : t("customer.freezeText"),
      confirmLabel: frozen ? t("customer.unfreeze") : t("customer.freeze"),
      tone: frozen ? "primary" : "danger",
      action: async () => {
        await freeze.mutateAsync({ id, frozen: !frozen });
        toast.success(frozen ? t("customer.unfrozenDone", { name }) : t("customer.frozenDone", { name }));
      },
    });
  }

  function askToRemove({ id, name }: Customer, onRemoved?: () => void): void {
    void confirm({
      title: t("customer.removeTitle", { name }),
      description: t("customer.removeText"),
      confirmLabel: t("customer.remove"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ id });
        onRemoved?.();
        toast.success(t("customer.removedDone", { name }));
      },
    });
  }

  return { askToFreeze, askToRemove };
}

type CustomerChipProps = { customer: { frozen: boolean; inHouse: boolean }; size?: "sm" | "md" };

/** Shows that a customer is frozen or staying in the hotel; otherwise renders nothing. */
export function CustomerChip({ customer, size }: CustomerChipProps) {
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
  const navigate = useNavigate();
  const canManage = useCan()("customers.manage");
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
        canManage && (
          <>
            <ActionButton variant="outline" onClick={onEdit}>
              <Pencil aria-hidden />
              {t("common.edit")}
            </ActionButton>
            <DropdownMenu>
              <DropdownMenuTrigger asChild>
                <Button variant="outline" size="icon" aria-label={t("common.actions")}>
                  <Ellipsis aria-hidden />
                </Button>
              </DropdownMenuTrigger>
              <DropdownMenuContent align="end" className="min-w-48">
                <ActionMenuItem
                  icon={frozen ? Sun : Snowflake}
                  danger={!frozen}
                  onSelect={() => acts.askToFreeze(customer)}
                >
                  {frozen ? t("customer.unfreeze") : t("customer.freeze")}
                </ActionMenuItem>
                <DropdownMenuSeparator />
                <ActionMenuItem icon={Trash2} danger onSelect={() => acts.askToRemove(customer, leave)}>
                  {t("customer.remove")}
                </ActionMenuItem>
              </DropdownMenuContent>
            </DropdownMenu>
          </>
        )
      }
    />
  );
}
