import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/cardEncryption/")({
  beforeLoad: () => {
    throw redirect({ to: "/cardEncryption/cardEncryption", replace: true });
  },
});
