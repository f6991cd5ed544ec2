import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/cardEncryption/")({
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/cardEncryption/cardEncryption", search, replace: true });
  },
});
