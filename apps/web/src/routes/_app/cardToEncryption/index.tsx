import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/cardToEncryption/")({
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/cardToEncryption/cardToEncryption", search, replace: true });
  },
});
