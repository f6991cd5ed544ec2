import { createFileRoute, redirect } from "@tanstack/react-router";

const CUSTOMERS: string = "/customer/customer";

export const Route = createFileRoute("/_app/customer/")({
  beforeLoad: ({ search }) => {
    throw redirect({ to: CUSTOMERS, search, replace: true });
  },
});
