import { createFileRoute } from "@tanstack/react-router";
import { PasscodeListPage } from "@/features/passcodes/passcode-list-page.tsx";
import { passcodeSearch } from "@/features/passcodes/passcode-search.ts";

export const Route = createFileRoute("/_app/passcodes")({
  staticData: { titleKey: "nav.passcodes" },
  validateSearch: passcodeSearch,
  component: Passcodes,
});

function Passcodes() {
  return <PasscodeListPage search={Route.useSearch()} />;
}
