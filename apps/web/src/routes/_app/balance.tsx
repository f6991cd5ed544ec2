import { createFileRoute } from "@tanstack/react-router";
import { BalancePage } from "@/features/money/balance/balance-page.tsx";
import { balanceSearch } from "@/features/money/money-search.ts";

export const Route = createFileRoute("/_app/balance")({
  staticData: { titleKey: "nav.balance" },
  validateSearch: balanceSearch,
  component: BalanceRoute,
});

function BalanceRoute() {
  const navigate = Route.useNavigate();
  return (
    <BalancePage
      search={Route.useSearch()}
      onSearch={(patch) => void navigate({ search: (old) => ({ ...old, ...patch }), replace: true })}
    />
  );
}
