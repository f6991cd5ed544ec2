import type { RoomDetail } from "@innkey/shared/schemas/rooms";
import { useMemo } from "react";
import type { RecordSearch } from "@/entities/unlock/record-search.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { RecordList } from "./record-list.tsx";
import { TrafficCard } from "./traffic-card.tsx";

type RoomDoorsProps = { room: RoomDetail; search: RecordSearch; onSearch: (patch: RecordSearch) => void };

/** What the room's lock has reported. */
export function RoomDoors({ room, search, onSearch }: RoomDoorsProps) {
  const { t } = useTranslation();
  const of = useMemo(() => ({ roomId: room.id }), [room.id]);
  return (
    <>
      {room.lock && <TrafficCard roomId={room.id} search={search} onSearch={onSearch} className="mb-5" />}
      <RecordList
        of={of}
        search={search}
        onSearch={onSearch}
        none={{
          title: t("room.noUnlocks"),
          description: room.lock ? t("room.noUnlocksText") : t("room.noUnlocksNoLock"),
        }}
      />
    </>
  );
}
