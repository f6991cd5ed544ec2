import type { StayDetail } from "@innkey/shared/schemas/stays";
import { ArrowLeftRight, CalendarSync, CalendarX, DoorOpen, KeyRound } from "lucide-react";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { Button } from "@/ui/primitives/button.tsx";

/** Buttons for the actions that the stay's state allows; the likeliest one is last. */
export function StayButtons({ stay }: { stay: StayDetail }) {
  const { t } = useTranslation();
  const can = useCan();
  const stays = useStayActions();
  if (!can("stays.manage")) return null;
  if (stay.state === "reserved") {
    return (
      <>
        <Button variant="dangerQuiet" onClick={() => stays.cancel(stay.id)}>
          <CalendarX aria-hidden />
          {t("stay.cancelReservation")}
        </Button>
        <Button needsServer onClick={() => stays.changeRoom(stay.id)}>
          <ArrowLeftRight aria-hidden />
          {t("stay.changeRoom")}
        </Button>
        <Button variant="primary" onClick={() => stays.arrive(stay.id)}>
          <KeyRound aria-hidden />
          {t("stay.checkIn")}
        </Button>
      </>
    );
  }
  if (stay.state !== "checked_in") return null;
  return (
    <>
      <Button needsServer onClick={() => stays.renew(stay.id)}>
        <CalendarSync aria-hidden />
        {t("stay.renew")}
      </Button>
      <Button needsServer disabled={stay.expired} onClick={() => stays.changeRoom(stay.id)}>
        <ArrowLeftRight aria-hidden />
        {t("stay.changeRoom")}
      </Button>
      <Button variant="primary" onClick={() => stays.checkOut(stay.id)}>
        <DoorOpen aria-hidden />
        {t("stay.checkOut")}
      </Button>
    </>
  );
}
