import { createFileRoute } from "@tanstack/react-router";
import { OrderListPage } from "@/features/money/orders/order-list-page.tsx";
import { orderSearch } from "@/features/money/orders/order-search.ts";

export const Route = createFileRoute("/_app/orders")({
  staticData: { titleKey: "nav.orders" },
  validateSearch: orderSearch,
  component: Orders,
});

function Orders() {
  return <OrderListPage search={Route.useSearch()} />;
}
