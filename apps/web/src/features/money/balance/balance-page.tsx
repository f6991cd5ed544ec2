import { type Balance, setAccountInput } from "@innkey/shared/schemas/folio";
import { WITHDRAWAL_ACCOUNT_TYPES } from "@innkey/shared/words";
import { useMutation, useQuery } from "@tanstack/react-query";
import { BanknoteArrowDown, BanknoteArrowUp, Landmark } from "lucide-react";
import { useState } from "react";
import { CHANNEL_ICONS } from "@/entities/stay/stay-money.tsx";
import { cn } from "@/lib/cn.ts";
import { formatMoney } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { type Account, destinationOf, RechargeDialog, WithdrawDialog } from "../money-dialogs.tsx";
import type { BalanceSearch } from "../money-search.ts";
import { StatementCard } from "./statement-card.tsx";

/**
 * Edits the account for withdrawals. The console knows only the last digits of an existing number, so the number is
 * typed again or left unchanged.
 */
function AccountDialog({ account, onClose }: { account: Account | null; onClose: () => void }) {
  const form = useZodForm(setAccountInput, {
    defaultValues: {
      type: account?.type ?? "bank",
      name: account?.name ?? "",
      bank: account?.bank ?? "",
      number: account ? null : "",
    },
  });
  const type = form.watch("type");
  const save = useMutation(trpc.balance.setAccount.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("balance.account")}
      description={t("balance.accountText")}
      submitLabel={t("common.save")}
      startAt="name"
      onClose={onClose}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        toast.success(t("balance.accountSaved"));
        onClose();
      }}
    >
      <Field form={form} name="type" label={t("balance.type")} required>
        {(control) => (
          <SelectInput
            {...control}
            options={WITHDRAWAL_ACCOUNT_TYPES.map((value) => ({ value, label: t(`balance.typeOf.${value}`) }))}
          />
        )}
      </Field>
      <Field form={form} name="name" label={t("balance.holder")} required>
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
      {type === "bank" && (
        <Field form={form} name="bank" label={t("balance.bank")}>
          {(control) => <Input {...control} value={control.value ?? ""} autoComplete="off" />}
        </Field>
      )}
      <Field
        form={form}
        name="number"
        label={t("balance.number")}
        required={!account}
        hint={account ? t("balance.numberKept", { end: account.numberEnd }) : undefined}
      >
        {({ onChange, ...control }) => (
          <Input
            {...control}
            value={control.value ?? ""}
            onChange={(event) => onChange(account && event.target.value === "" ? null : event.target.value)}
            dir="ltr"
            className="rtl:text-end"
            autoComplete="off"
          />
        )}
      </Field>
    </FormDialog>
  );
}

/** Shows the available balance, the guests' share, and where the money is. */
function BalanceFigures({ balance, onAccount }: { balance: Balance; onAccount: (() => void) | undefined }) {
  const { currency } = useHotel();
  const money = (minor: number): string => formatMoney(minor, currency);
  const { availableMinor, moneyMinor, heldMinor, creditsMinor, channels, account } = balance;
  return (
    <Card className="mb-6 overflow-hidden">
      <dl className="grid gap-px bg-border sm:grid-cols-2">
        <div className="bg-card px-5 py-4">
          <dt className="text-sm text-muted-foreground">{t("balance.available")}</dt>
          <dd className={cn("figures text-2xl", availableMinor < 0 && "text-danger")}>{money(availableMinor)}</dd>
          <dd className="text-sm text-muted-foreground">{t("balance.ofMoney", { amount: money(moneyMinor) })}</dd>
        </div>
        <div className="bg-card px-5 py-4">
          <dt className="text-sm text-muted-foreground">{t("balance.held")}</dt>
          <dd className="figures text-2xl">{money(heldMinor + creditsMinor)}</dd>
          <dd className="text-sm text-muted-foreground">
            {t("balance.heldOf", { deposits: money(heldMinor), credits: money(creditsMinor) })}
          </dd>
        </div>
      </dl>
      <dl className="grid grid-cols-2 gap-px border-t bg-border sm:grid-cols-4">
        {channels.map(({ channel, amountMinor }) => {
          const Icon = CHANNEL_ICONS[channel];
          return (
            <div key={channel} className="bg-card px-5 py-3">
              <dt className="flex items-center gap-1.5 text-sm text-muted-foreground">
                <Icon aria-hidden className="size-4" />
                {t(`stay.channel.${channel}`)}
              </dt>
              <dd className={cn("figures mt-0.5 text-xl", amountMinor < 0 && "text-danger")}>{money(amountMinor)}</dd>
            </div>
          );
        })}
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t px-5 py-3">
        <p className="flex min-w-0 items-center gap-2.5">
          <Landmark aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          <span className="min-w-0">
            <span className="block text-sm text-muted-foreground">{t("balance.account")}</span>
            <bdi className="block break-words">{account ? destinationOf(account) : t("balance.accountNone")}</bdi>
          </span>
        </p>
        {onAccount && (
          <ActionButton variant="outline" size="sm" onClick={onAccount}>
            {account ? t("balance.changeAccount") : t("balance.setAccount")}
          </ActionButton>
        )}
      </div>
    </Card>
  );
}

type BalancePageProps = { search: BalanceSearch; onSearch: (patch: BalanceSearch) => void };

/** The hotel's own balance: available money, deposits and withdrawals, and the statement. */
export function BalancePage({ search, onSearch }: BalancePageProps) {
  const can = useCan();
  const [dialog, setDialog] = useState<"recharge" | "withdraw" | "account" | null>(null);
  const canView = can("balance.view");
  const { data, error, refetch } = useQuery(trpc.balance.get.queryOptions(undefined, { enabled: canView }));
  if (!canView) return <NoPermission />;
  const close = (): void => setDialog(null);
  return (
    <>
      <PageHeader
        title={t("nav.balance")}
        description={t("balance.text")}
        actions={
          can("balance.manage") &&
          data && (
            <>
              <ActionButton variant="outline" onClick={() => setDialog("recharge")}>
                <BanknoteArrowUp aria-hidden />
                {t("balance.recharge")}
              </ActionButton>
              <ActionButton onClick={() => setDialog(data.account ? "withdraw" : "account")}>
                <BanknoteArrowDown aria-hidden />
                {t("balance.withdraw")}
              </ActionButton>
            </>
          )
        }
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <BalanceFigures balance={data} onAccount={can("balance.manage") ? () => setDialog("account") : undefined} />
      ) : (
        <Skeleton className="h-50" />
      )}
      <StatementCard search={search} onSearch={onSearch} />
      {dialog === "recharge" && <RechargeDialog onClose={close} />}
      {dialog === "withdraw" && data?.account && (
        <WithdrawDialog balance={data} account={data.account} onClose={close} />
      )}
      {dialog === "account" && <AccountDialog account={data?.account ?? null} onClose={close} />}
    </>
  );
}
