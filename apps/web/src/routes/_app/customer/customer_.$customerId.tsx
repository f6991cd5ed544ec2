import { createFileRoute, redirect } from "@tanstack/react-router";
import { listSearch } from "@/components/table/list-search.ts";
import { CustomerScreen } from "@/features/customers/customer-screen.tsx";
import { whole } from "@/lib/search-params.ts";

const customerIdOf = whole();

export const Route = createFileRoute("/_app/customer/customer_/$customerId")({
  staticData: { titleKey: "customer.one", trail: [{ to: "/customer/customer", titleKey: "nav.customers" }] },
  params: {
    parse: ({ customerId }) => ({ customerId: customerIdOf(customerId) ?? 0 }),
    stringify: ({ customerId }) => ({ customerId: String(customerId) }),
  },
  validateSearch: listSearch,
  beforeLoad: ({ params }) => {
    if (params.customerId === 0) throw redirect({ to: "/404", replace: true });
  },
  component: Customer,
});

function Customer() {
  const { customerId } = Route.useParams();
  return <CustomerScreen key={customerId} customerId={customerId} />;
}
