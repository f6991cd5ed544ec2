import type { FreeRooms } from "@innkey/shared/schemas/stays/availability";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useQuery } from "@tanstack/react-query";
import { FreeRoomsInstead } from "@/entities/room/free-rooms.tsx";
import { formatPriceChange } from "@/lib/format.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";

type FreeInsteadProps = {
  stay: Pick<StayDetail, "room">;
  /** Rooms that are free for the stay's new period. */
  free: FreeRooms;
  onTake: (roomId: number) => void;
};

/** Offers other rooms to a stay whose own room is taken, with what each would change of its bill. */
export function FreeInstead({ stay, free, onTake }: FreeInsteadProps) {
  const { currency } = useHotel();
  const room = useQuery(trpc.rooms.detail.queryOptions({ roomId: stay.room.id }));
  return (
    <FreeRoomsInstead
      groups={free.groups}
      roomName={stay.room.name}
      groupId={room.data?.groupId}
      priceOf={({ priceMinor }) => (priceMinor === null ? "–" : formatPriceChange(priceMinor, currency))}
      onTake={onTake}
    />
  );
}
