import { createFileRoute } from "@tanstack/react-router";
import { listSearch } from "@/components/table/list-search.ts";
import { CustomerListPage } from "@/features/customers/customer-list-page.tsx";

export const Route = createFileRoute("/_app/customer/customer")({
  staticData: { titleKey: "nav.customers" },
  validateSearch: listSearch,
  component: CustomerListPage,
});
