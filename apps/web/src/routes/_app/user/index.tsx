import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/user/")({
  beforeLoad: () => {
    throw redirect({ to: "/user/changePsw", replace: true });
  },
});
