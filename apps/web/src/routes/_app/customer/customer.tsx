import { createFileRoute } from "@tanstack/react-router";
import { CustomerListPage } from "@/features/guests/customers/customer-list-page.tsx";
import { customerSearch } from "@/features/guests/guest-search.ts";

export const Route = createFileRoute("/_app/customer/customer")({
  staticData: { titleKey: "nav.customers" },
  validateSearch: customerSearch,
  component: Customers,
});

function Customers() {
  return <CustomerListPage search={Route.useSearch()} />;
}
