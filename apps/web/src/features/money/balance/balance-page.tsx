import { useQuery } from "@tanstack/react-query";
import { BanknoteArrowDown, BanknoteArrowUp } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { AccountDialog } from "./account-dialog.tsx";
import { BalanceFigures } from "./balance-figures.tsx";
import type { BalanceSearch } from "./balance-search.ts";
import { RechargeDialog } from "./recharge-dialog.tsx";
import { StatementCard } from "./statement-card.tsx";
import { WithdrawDialog } from "./withdraw-dialog.tsx";

type BalancePageProps = { search: BalanceSearch; onSearch: (patch: BalanceSearch) => void };

/** The hotel's own balance: available money, deposits and withdrawals, and the statement. */
export function BalancePage({ search, onSearch }: BalancePageProps) {
  const { t } = useTranslation();
  const can = useCan();
  const [act, setAct] = useState<"recharge" | "withdraw" | "account" | null>(null);
  const sees = can("balance.view");
  const { data, error, refetch } = useQuery(trpc.balance.get.queryOptions(undefined, { enabled: sees }));
  if (!sees) return <NoPermission />;
  const close = (): void => setAct(null);
  return (
    <>
      <PageHeader
        title={t("nav.balance")}
        description={t("balance.text")}
        actions={
          can("balance.manage") &&
          data && (
            <>
              <Button needsServer onClick={() => setAct("recharge")}>
                <BanknoteArrowUp aria-hidden />
                {t("balance.recharge")}
              </Button>
              <Button variant="primary" onClick={() => setAct(data.account ? "withdraw" : "account")}>
                <BanknoteArrowDown aria-hidden />
                {t("balance.withdraw")}
              </Button>
            </>
          )
        }
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <BalanceFigures balance={data} onAccount={can("balance.manage") ? () => setAct("account") : undefined} />
      ) : (
        <Skeleton className="h-50" />
      )}
      <StatementCard search={search} onSearch={onSearch} />
      {act === "recharge" && <RechargeDialog onClose={close} />}
      {act === "withdraw" && data?.account && <WithdrawDialog balance={data} account={data.account} onClose={close} />}
      {act === "account" && <AccountDialog account={data?.account ?? null} onClose={close} />}
    </>
  );
}
