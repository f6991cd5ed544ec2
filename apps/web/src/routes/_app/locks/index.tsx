import { createFileRoute } from "@tanstack/react-router";
import { LockListPage } from "@/features/locks/lock-list-page.tsx";
import { lockSearch } from "@/features/locks/lock-search.ts";

export const Route = createFileRoute("/_app/locks/")({
  staticData: { titleKey: "nav.locks" },
  validateSearch: lockSearch,
  component: Locks,
});

function Locks() {
  return <LockListPage search={Route.useSearch()} />;
}
