import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/cardToEncryption/")({
  beforeLoad: () => {
    throw redirect({ to: "/cardToEncryption/cardToEncryption", replace: true });
  },
});
