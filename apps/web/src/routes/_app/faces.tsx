import { createFileRoute } from "@tanstack/react-router";
import { listSearch } from "@/components/table/list-search.ts";
import { FaceListPage } from "@/features/faces/face-list-page.tsx";

export const Route = createFileRoute("/_app/faces")({
  staticData: { titleKey: "nav.faces" },
  validateSearch: listSearch,
  component: FaceListPage,
});
