import { createFileRoute, redirect } from "@tanstack/react-router";
import { roomSearch } from "@/features/rooms/room-search.ts";
import { whole } from "@/lib/search-params.ts";
import { RoomScreen } from "@/pages/room-screen.tsx";

const roomIdOf = whole();

export const Route = createFileRoute("/_app/room/$roomId")({
  staticData: { titleKey: "room.title", trail: [{ to: "/room", titleKey: "nav.rooms" }] },
  params: {
    parse: ({ roomId }) => ({ roomId: roomIdOf.parse(roomId) ?? 0 }),
    stringify: ({ roomId }) => ({ roomId: String(roomId) }),
  },
  validateSearch: roomSearch,
  beforeLoad: ({ params }) => {
    if (params.roomId === 0) throw redirect({ to: "/404", replace: true });
  },
  component: Room,
});

function Room() {
  const { roomId } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <RoomScreen
      key={roomId}
      roomId={roomId}
      search={search}
      onSearch={(patch) => void navigate({ search: (old) => ({ ...old, ...patch }), replace: true })}
    />
  );
}
