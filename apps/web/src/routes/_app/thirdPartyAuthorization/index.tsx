import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/thirdPartyAuthorization/")({
  beforeLoad: () => {
    throw redirect({ to: "/thirdPartyAuthorization/thirdPartyAuthorization", replace: true });
  },
});
