import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/center/")({
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/center/personalCenter", search, replace: true });
  },
});
