import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "@/components/error-state.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { PageSkeleton } from "@/components/page-skeleton.tsx";
import { Alert } from "@/components/ui/alert.tsx";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { HotelForm } from "./hotel-form.tsx";

export function HotelScreen() {
  const { t } = useTranslation();
  const can = useCan();
  const { data: hotel, error, refetch } = useQuery(trpc.hotel.get.queryOptions());
  if (error && !hotel) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!hotel) return <PageSkeleton />;
  const editable = can("hotel.manage");
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader
        title={t("hotel.title")}
        description={`${t("hotel.rooms", { count: hotel.roomCount, formatted: formatNumber(hotel.roomCount) })} · ${t("hotel.locks", { count: hotel.lockCount, formatted: formatNumber(hotel.lockCount) })}`}
      />
      {!editable && <Alert tone="info" title={t("hotel.readOnly")} className="mb-5" />}
      <HotelForm key={hotel.id} hotel={hotel} editable={editable} />
    </div>
  );
}
