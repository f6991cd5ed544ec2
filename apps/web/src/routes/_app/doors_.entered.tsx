import { createFileRoute, redirect } from "@tanstack/react-router";
import * as z from "zod/mini";
import { EnteredPage } from "@/features/unlocks/entered-page.tsx";
import { whole } from "@/lib/search-params.ts";

const enteredSearch = z.object({ stay: whole() });

export const Route = createFileRoute("/_app/doors_/entered")({
  staticData: { titleKey: "entered.title", trail: [{ to: "/doors", titleKey: "nav.doorRecords" }] },
  validateSearch: enteredSearch,
  beforeLoad: ({ search: { stay } }) => {
    if (stay === undefined) throw redirect({ to: "/doors", replace: true });
  },
  component: Entered,
});

function Entered() {
  const { stay } = Route.useSearch();
  return stay !== undefined && <EnteredPage key={stay} stayId={stay} />;
}
