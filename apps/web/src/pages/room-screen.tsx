import type { RoomDetail } from "@innkey/shared/schemas/property/rooms";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { BlockOutCallout } from "@/entities/lock/block-out-callout.tsx";
import type { RecordSearch } from "@/entities/unlock/record-search.ts";
import { StayCards } from "@/features/cards/stay-cards.tsx";
import { GrantsCard } from "@/features/faces/grants-card.tsx";
import { RoomTemplate } from "@/features/money/price-templates/apply-template.tsx";
import { PricesForm } from "@/features/money/prices/prices-form.tsx";
import { RoomPasscodes } from "@/features/passcodes/passcode-table.tsx";
import { RoomSettings } from "@/features/rooms/room-form.tsx";
import { RoomHeader } from "@/features/rooms/room-header.tsx";
import type { RoomSearch, RoomTab } from "@/features/rooms/room-search.ts";
import { RoomNotes, RoomStatusPanel, RoomTenants } from "@/features/rooms/room-tabs.tsx";
import { TrafficCard } from "@/features/unlocks/doors-page.tsx";
import { RecordList } from "@/features/unlocks/record-list.tsx";
import { t } from "@/lib/i18n.ts";
import { usePageName } from "@/lib/page-title.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { missingSubject } from "@/ui/missing-subject.tsx";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { PageTabs } from "@/ui/page-tabs.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { TabsContent } from "@/ui/primitives/tabs.tsx";
import { type RoomDialog, RoomDialogs } from "./room-dialogs.tsx";

type RoomScreenProps = { roomId: number; search: RoomSearch; onSearch: (patch: RoomSearch) => void };

/** Shows one room: its guests, door records, data, prices and status. */
export function RoomScreen({ roomId, search, onSearch }: RoomScreenProps) {
  const can = useCan();
  const { data: room, error, refetch } = useQuery(trpc.rooms.detail.queryOptions({ roomId }));
  const [dialog, setDialog] = useState<RoomDialog | null>(null);
  const [templatesUsed, setTemplatesUsed] = useState(0);
  usePageName(room && t("board.roomNamed", { name: room.name }));

  if (error && !room) {
    const missing = missingSubject("room", "/room", t("nav.rooms"));
    return <ErrorState error={error} onRetry={() => void refetch()} missing={missing} />;
  }
  if (!room) return <PageSkeleton />;

  const seesCards = can("cards.view") && can("stays.view");
  const tabs: { value: RoomTab; label: string; hidden?: boolean }[] = [
    { value: "tenants", label: t("room.tenants"), hidden: !can("stays.view") },
    {
      value: "codes",
      label: t("keys.heading"),
      hidden: !seesCards && !can("passcodes.view") && !can("faces.view"),
    },
    { value: "unlocks", label: t("room.unlocks"), hidden: !can("unlocks.view") },
    { value: "settings", label: t("room.settings"), hidden: !can("rooms.manage") },
    { value: "prices", label: t("room.prices") },
    { value: "status", label: t("room.status"), hidden: !can("rooms.status") },
  ];
  const visibleTabs = tabs.filter((tab) => !tab.hidden);
  const tab = visibleTabs.find(({ value }) => value === search.tab)?.value ?? visibleTabs[0]?.value ?? "prices";

  return (
    <>
      <RoomHeader room={room} onMaintenance={() => setDialog({ kind: "maintenance", roomIds: [room.id] })} />
      <BlockOutCallout lock={room.lock} className="mb-4" />
      <RoomNotes room={room} />
      <PageTabs
        tabs={tabs}
        value={tab}
        onChange={(next) => onSearch({ tab: next, page: undefined, q: undefined })}
        label={t("board.roomNamed", { name: room.name })}
      >
        <TabsContent value="tenants">
          <RoomTenants roomId={room.id} />
        </TabsContent>
        <TabsContent value="codes" className="grid grid-cols-1 gap-5">
          {seesCards && room.current && <CardsInRoom stayId={room.current.stayId} />}
          {can("passcodes.view") && <RoomPasscodes room={room} />}
          {can("faces.view") && <GrantsCard filter={{ roomId: room.id }} emptyText={t("face.noneOfRoom")} />}
        </TabsContent>
        <TabsContent value="unlocks">
          <RoomDoors room={room} search={search} onSearch={onSearch} />
        </TabsContent>
        <TabsContent value="settings">
          <RoomSettings room={room} />
        </TabsContent>
        <TabsContent value="prices">
          <Card>
            <CardContent>
              <RoomTemplate room={room} onUsed={() => setTemplatesUsed(templatesUsed + 1)} />
              <PricesForm
                key={`${room.id}:${templatesUsed}`}
                roomIds={[room.id]}
                prices={room.prices}
                readOnly={!can("prices.manage")}
              />
            </CardContent>
          </Card>
        </TabsContent>
        <TabsContent value="status">
          <RoomStatusPanel room={room} onMaintenance={() => setDialog({ kind: "maintenance", roomIds: [room.id] })} />
        </TabsContent>
      </PageTabs>
      <RoomDialogs dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}

/** Shows the cards of the party that is in the room. */
function CardsInRoom({ stayId }: { stayId: number }) {
  const stay = useQuery(trpc.stays.detail.queryOptions({ stayId }));
  if (stay.error && !stay.data) return <ErrorState error={stay.error} onRetry={() => void stay.refetch()} />;
  return stay.data ? <StayCards stay={stay.data} /> : <Skeleton className="h-32 rounded-lg" />;
}

type RoomDoorsProps = { room: RoomDetail; search: RecordSearch; onSearch: (patch: RecordSearch) => void };

/** Shows the records of the room's lock. */
function RoomDoors({ room, search, onSearch }: RoomDoorsProps) {
  const subject = useMemo(() => ({ roomId: room.id }), [room.id]);
  return (
    <>
      {room.lock && <TrafficCard roomId={room.id} search={search} onSearch={onSearch} className="mb-5" />}
      <RecordList
        subject={subject}
        search={search}
        onSearch={onSearch}
        emptyText={{
          title: t("room.noUnlocks"),
          description: room.lock ? t("room.noUnlocksText") : t("room.noUnlocksNoLock"),
        }}
      />
    </>
  );
}
