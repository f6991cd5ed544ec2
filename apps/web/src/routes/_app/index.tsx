import { createFileRoute, redirect } from "@tanstack/react-router";

const LANDING: string = "/customer/customer";

export const Route = createFileRoute("/_app/")({
  beforeLoad: () => {
    throw redirect({ to: LANDING, replace: true });
  },
});
