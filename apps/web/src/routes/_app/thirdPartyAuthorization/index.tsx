import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/thirdPartyAuthorization/")({
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/thirdPartyAuthorization/thirdPartyAuthorization", search, replace: true });
  },
});
