import { atLocal } from "@innkey/shared/hotel-time";
import type { HotelOutput } from "@innkey/shared/schemas/hotel";
import { formatMoney, formatTime, hotelToday } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";

export type GuestFact = { id: string; label: string; value: string };

/** What a guest wants to know of the house, as it is filled in; `missing` names what isn't. */
export function useGuestFacts(hotel: HotelOutput): { facts: GuestFact[]; missing: string[] } {
  const { t } = useTranslation();
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
