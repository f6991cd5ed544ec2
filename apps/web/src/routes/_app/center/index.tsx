import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/center/")({
  beforeLoad: () => {
    throw redirect({ to: "/center/personalCenter", replace: true });
  },
});
