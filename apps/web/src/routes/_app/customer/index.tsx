import { createFileRoute, redirect } from "@tanstack/react-router";

const CUSTOMERS: string = "/customer/customer";

export const Route = createFileRoute("/_app/customer/")({
  beforeLoad: () => {
    throw redirect({ to: CUSTOMERS, replace: true });
  },
});
