import { useQuery } from "@tanstack/react-query";
import { UserRound, X } from "lucide-react";
import { useMemo } from "react";
import { RoomFilter } from "@/entities/room/room-filter.tsx";
import type { DoorSearch } from "@/entities/unlock/record-search.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { RecordList } from "./record-list.tsx";
import type { RecordsOf } from "./records-query.ts";
import { TrafficCard } from "./traffic-card.tsx";

type DoorsPageProps = { search: DoorSearch; onSearch: (patch: DoorSearch) => void };

/** Door activity of the hotel, a room or a guest: traffic over time and the records. */
export function DoorsPage({ search, onSearch }: DoorsPageProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { room, person } = search;
  const of = useMemo(
    (): RecordsOf => (person !== undefined ? { stayGuestId: person } : room !== undefined ? { roomId: room } : "house"),
    [room, person],
  );
  if (!can("unlocks.view")) return <NoPermission />;
  return (
    <>
      <PageHeader title={t("nav.doorRecords")} description={t("doors.text")} />
      {person === undefined && (
        <TrafficCard roomId={room ?? null} search={search} onSearch={onSearch} className="mb-6" />
      )}
      <RecordList
        of={of}
        search={search}
        onSearch={onSearch}
        none={
          person === undefined
            ? { title: t("doors.strip.none"), description: t("room.noUnlocksText") }
            : { title: t("doors.noneOfGuest") }
        }
        toolbar={
          person === undefined ? (
            can("rooms.view") && (
              <RoomFilter
                roomId={room ?? null}
                any={t("doors.anyRoom")}
                onChange={(next) => onSearch({ room: next ?? undefined })}
              />
            )
          ) : (
            <PersonChoice stayGuestId={person} onClear={() => onSearch({ person: undefined })} />
          )
        }
      />
    </>
  );
}

function PersonChoice({ stayGuestId, onClear }: { stayGuestId: number; onClear: () => void }) {
  const { t } = useTranslation();
  const seesGuests = useCan()("stays.view");
  const { data: stay } = useQuery(trpc.stays.byGuest.queryOptions({ stayGuestId }, { enabled: seesGuests }));
  const name = stay?.guests.find((guest) => guest.stayGuestId === stayGuestId)?.name;
  return (
    <Button
      variant="outline"
      onClick={onClear}
      aria-pressed
      aria-label={name ? t("doors.endGuest", { name }) : t("doors.endAnyGuest")}
    >
      <UserRound aria-hidden />
      {name ?? t("room.tenant")}
      <X aria-hidden />
    </Button>
  );
}
