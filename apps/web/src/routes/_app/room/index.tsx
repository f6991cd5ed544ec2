import { createFileRoute } from "@tanstack/react-router";
import { useCallback } from "react";
import { type BoardSearch, boardSearch } from "@/features/board/board-search.ts";
import { BoardScreen } from "@/pages/board-screen.tsx";

export const Route = createFileRoute("/_app/room/")({
  staticData: { titleKey: "nav.rooms" },
  validateSearch: boardSearch,
  component: RoomBoard,
});

function RoomBoard() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback(
    (patch: BoardSearch) => void navigate({ search: (old) => ({ ...old, ...patch }), replace: true }),
    [navigate],
  );
  return <BoardScreen search={search} onSearch={change} />;
}
