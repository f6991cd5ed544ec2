import { createFileRoute } from "@tanstack/react-router";
import { FaceListPage } from "@/features/faces/face-list-page.tsx";
import { listSearch } from "@/ui/table/list-search.ts";

export const Route = createFileRoute("/_app/faces")({
  staticData: { titleKey: "nav.faces" },
  validateSearch: listSearch,
  component: FaceListPage,
});
