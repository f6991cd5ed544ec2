import { atLocal } from "@innkey/shared/hotel-time";
import type { HotelOutput } from "@innkey/shared/schemas/property/hotel";
import { useQuery } from "@tanstack/react-query";
import { Copy, Printer } from "lucide-react";
import { useCallback, useState } from "react";
import { formatList, formatMoney, formatNumber, formatTime, hotelToday } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { PageTabs } from "@/ui/page-tabs.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { TabsContent } from "@/ui/primitives/tabs.tsx";
import { PrintSheet, usePrinting } from "@/ui/printing.tsx";
import { GuestMessagesPanel } from "./guest-messages-panel.tsx";
import { HotelForm } from "./hotel-form.tsx";
import type { HotelTab } from "./hotel-search.ts";
import { LockDisplayTextsPanel } from "./lock-display-texts-panel.tsx";

/** Information for arriving guests, to read, to copy into a message, or to print for the room. */
function GuestInformation({ hotel }: { hotel: HotelOutput }) {
  const { facts, missing } = useGuestFacts(hotel);
  const [isPrinting, setIsPrinting] = useState(false);
  usePrinting(
    isPrinting,
    useCallback(() => setIsPrinting(false), []),
  );

  async function copy(): Promise<void> {
    const text = [hotel.name, ...facts.map(({ label, value }) => `${label}: ${value}`), hotel.notice]
      .filter(Boolean)
      .join("\n");
    try {
      await navigator.clipboard.writeText(text);
      toast.success(t("guestInfo.copied"));
    } catch {
      toast.error(t("guestInfo.copyFailed"));
    }
  }

  const list = (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_1fr]">
      {facts.map(({ id, label, value }) => (
        <div key={id} className="sm:contents">
          <dt className="text-muted-foreground print:text-black">{label}</dt>
          <dd className="font-medium wrap-anywhere">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );

  return (
    <Card className="max-w-3xl">
      <CardHeading
        title={t("guestInfo.title")}
        description={t("guestInfo.text")}
        actions={
          <>
            <Button variant="outline" onClick={() => void copy()}>
              <Copy aria-hidden />
              {t("guestInfo.copy")}
            </Button>
            <Button variant="outline" onClick={() => setIsPrinting(true)}>
              <Printer aria-hidden />
              {t("guestInfo.print")}
            </Button>
          </>
        }
      />
      <CardContent className="grid gap-4">
        {list}
        {hotel.notice && (
          <p dir="auto" className="rounded-md bg-sunken px-4 py-3 whitespace-pre-line">
            {hotel.notice}
          </p>
        )}
        {missing.length > 0 && (
          <p className="text-sm text-muted-foreground">{t("guestInfo.missing", { list: formatList(missing) })}</p>
        )}
      </CardContent>
      {isPrinting && (
        <PrintSheet>
          <h1 className="mb-4 text-2xl font-semibold">{hotel.name}</h1>
          <div className="text-lg">{list}</div>
          {hotel.notice && (
            <p dir="auto" className="mt-6 text-lg whitespace-pre-line">
              {hotel.notice}
            </p>
          )}
        </PrintSheet>
      )}
    </Card>
  );
}

type GuestFact = { id: string; label: string; value: string };

/** Returns the facts about the hotel that guests ask for. `missing` names those that are not filled in. */
function useGuestFacts(hotel: HotelOutput): { facts: GuestFact[]; missing: string[] } {
  const time = (timeOfDay: string): string =>
    formatTime(atLocal(hotelToday(hotel.timeZone), timeOfDay, hotel.timeZone), hotel.timeZone);
  const price =
    hotel.breakfastPriceMinor > 0
      ? t("guestInfo.perPerson", { price: formatMoney(hotel.breakfastPriceMinor, hotel.currency) })
      : t("guestInfo.included");
  const all = [
    { id: "checkIn", label: t("hotel.checkInTime"), value: time(hotel.checkInTime) },
    { id: "checkOut", label: t("hotel.checkOutTime"), value: time(hotel.checkOutTime) },
    {
      id: "breakfast",
      label: t("hotel.breakfast"),
      value: `${time(hotel.breakfastFrom)} – ${time(hotel.breakfastTo)} · ${price}`,
    },
    { id: "wifiName", label: t("hotel.wifiName"), value: hotel.wifiName },
    { id: "wifiPassword", label: t("hotel.wifiPassword"), value: hotel.wifiPassword },
    { id: "tel", label: t("hotel.tel"), value: hotel.tel },
    { id: "address", label: t("hotel.address"), value: hotel.address },
  ];
  const missing = all.filter(({ value }) => value === "").map(({ label }) => label);
  return {
    facts: all.filter(({ value }) => value !== ""),
    missing: hotel.notice === "" ? [...missing, t("hotel.notice")] : missing,
  };
}

type HotelScreenProps = { tab: HotelTab; onTab: (tab: HotelTab) => void };

/** Hotel settings: its data, information for and messages to guests, and texts on lock displays. */
export function HotelScreen({ tab, onTab }: HotelScreenProps) {
  const can = useCan();
  const { data: hotel, error, refetch } = useQuery(trpc.hotel.get.queryOptions());
  if (error && !hotel) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!hotel) return <PageSkeleton />;
  const editable = can("hotel.manage");
  const canSendDisplayTexts = can("locks.view") && can("locks.open") && can("rooms.view");
  return (
    <>
      <PageHeader
        title={t("hotel.title")}
        description={`${t("hotel.rooms", { count: hotel.roomCount, formatted: formatNumber(hotel.roomCount) })} · ${t("hotel.locks", { count: hotel.lockCount, formatted: formatNumber(hotel.lockCount) })}`}
      />
      <PageTabs
        label={t("hotel.title")}
        value={tab === "notices" && !canSendDisplayTexts ? "data" : tab}
        onChange={onTab}
        tabs={[
          { value: "data", label: t("guestInfo.dataTab") },
          { value: "guests", label: t("guestInfo.tab") },
          { value: "messages", label: t("guestMessages.tab") },
          { value: "notices", label: t("notices.tab"), hidden: !canSendDisplayTexts },
        ]}
      >
        <TabsContent value="data">
          {!editable && <Callout tone="info" title={t("hotel.readOnly")} className="mb-5" />}
          <HotelForm key={hotel.id} hotel={hotel} editable={editable} />
        </TabsContent>
        <TabsContent value="guests">
          <GuestInformation hotel={hotel} />
        </TabsContent>
        <TabsContent value="messages">
          <GuestMessagesPanel editable={editable} />
        </TabsContent>
        <TabsContent value="notices">
          <LockDisplayTextsPanel />
        </TabsContent>
      </PageTabs>
    </>
  );
}
