import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/user/")({
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/user/changePsw", search, replace: true });
  },
});
