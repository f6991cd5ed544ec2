import { createFileRoute, redirect } from "@tanstack/react-router";
import { CustomerScreen } from "@/features/guests/customers/customer-screen.tsx";
import { whole } from "@/lib/search-params.ts";
import { listSearch } from "@/ui/table/list-search.ts";

const customerIdOf = whole();

export const Route = createFileRoute("/_app/customer/customer_/$customerId")({
  staticData: { titleKey: "customer.one", trail: [{ to: "/customer/customer", titleKey: "nav.customers" }] },
  params: {
    parse: ({ customerId }) => ({ customerId: customerIdOf.parse(customerId) ?? 0 }),
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
