import { createFileRoute, redirect } from "@tanstack/react-router";

const LANDING: string = "/customer/customer";

export const Route = createFileRoute("/_app/")({
  beforeLoad: ({ search }) => {
    throw redirect({ to: LANDING, search, replace: true });
  },
});
