import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { PageSkeleton } from "@/ui/page-skeleton.tsx";
import { Alert } from "@/ui/primitives/alert.tsx";
import { TabPanel, Tabs } from "@/ui/primitives/tabs.tsx";
import { GuestInformation } from "./guest-information.tsx";
import { HotelForm } from "./hotel-form.tsx";
import type { HotelTab } from "./hotel-search.ts";
import { NoticesPanel } from "./notices-panel.tsx";

type HotelScreenProps = { tab: HotelTab; onTab: (tab: HotelTab) => void };

/** Hotel settings: its data, information for guests, and texts on lock displays. */
export function HotelScreen({ tab, onTab }: HotelScreenProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { data: hotel, error, refetch } = useQuery(trpc.hotel.get.queryOptions());
  if (error && !hotel) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!hotel) return <PageSkeleton />;
  const editable = can("hotel.manage");
  const notices = can("locks.view") && can("locks.open") && can("rooms.view");
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader
        title={t("hotel.title")}
        description={`${t("hotel.rooms", { count: hotel.roomCount, formatted: formatNumber(hotel.roomCount) })} · ${t("hotel.locks", { count: hotel.lockCount, formatted: formatNumber(hotel.lockCount) })}`}
      />
      <Tabs
        label={t("hotel.title")}
        value={tab === "notices" && !notices ? "data" : tab}
        onChange={onTab}
        tabs={[
          { value: "data", label: t("guestInfo.dataTab") },
          { value: "guests", label: t("guestInfo.tab") },
          { value: "notices", label: t("notices.tab"), hidden: !notices },
        ]}
      >
        <TabPanel value="data">
          {!editable && <Alert tone="info" title={t("hotel.readOnly")} className="mb-5" />}
          <HotelForm key={hotel.id} hotel={hotel} editable={editable} />
        </TabPanel>
        <TabPanel value="guests">
          <GuestInformation hotel={hotel} />
        </TabPanel>
        <TabPanel value="notices">
          <NoticesPanel />
        </TabPanel>
      </Tabs>
    </div>
  );
}
