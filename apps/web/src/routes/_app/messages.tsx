import { createFileRoute, redirect } from "@tanstack/react-router";

/** Address of the alerts in earlier versions. */
export const Route = createFileRoute("/_app/messages")({
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/alerts", search, replace: true });
  },
});
