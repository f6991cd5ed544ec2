import type { StayDetail } from "@innkey/shared/schemas/stays";
import { useQuery } from "@tanstack/react-query";
import { CalendarSync, Nfc } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { Can } from "@/components/can.tsx";
import { ErrorState } from "@/components/error-state.tsx";
import { Alert } from "@/components/ui/alert.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody } from "@/components/ui/card.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { formatDateTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { useStayActions } from "../stays/stay-actions.tsx";
import { StayFacts } from "../stays/stay-facts.tsx";
import { GuestCardFields } from "./guest-card-fields.tsx";
import { StayCards } from "./stay-cards.tsx";
import { useGuestCards } from "./use-guest-cards.ts";

/** Cards for the guests of a room, one after the other. */
export function StationGuest({ stayId, onLeave }: { stayId: number; onLeave: () => void }) {
  const stay = useQuery(trpc.stays.detail.queryOptions({ stayId }));
  if (stay.error && !stay.data) return <ErrorState error={stay.error} onRetry={() => void stay.refetch()} />;
  if (!stay.data) return <Skeleton className="h-96 rounded-lg" />;
  return (
    <div className="grid grid-cols-1 gap-5">
      {stay.data.expired ? <Over stay={stay.data} /> : <Writing stay={stay.data} onLeave={onLeave} />}
      <Can capability="cards.view">
        <StayCards stay={stay.data} atStation />
      </Can>
    </div>
  );
}

function Over({ stay }: { stay: StayDetail }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const actions = useStayActions();
  return (
    <Card>
      <CardBody className="grid grid-cols-1 gap-4 pt-5">
        <StayFacts stay={stay} />
        <Alert
          tone="warning"
          title={t("locks.verdict.stay_over.title")}
          actions={
            <Can capability="stays.manage">
              <Button size="sm" needsServer onClick={() => actions.renew(stay.id)}>
                <CalendarSync aria-hidden />
                {t("locks.mend.renew")}
              </Button>
            </Can>
          }
        >
          <p>{t("locks.verdict.stay_over.text", { at: formatDateTime(stay.endsAt, timeZone) })}</p>
        </Alert>
      </CardBody>
    </Card>
  );
}

function Writing({ stay, onLeave }: { stay: StayDetail; onLeave: () => void }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const cards = useGuestCards(stay);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => button.current?.focus({ preventScroll: true }), []);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    if (cards.busy) cards.cancel();
    else onLeave();
  }

  return (
    <Card onKeyDown={onKeyDown}>
      <CardBody className="grid grid-cols-1 gap-4 pt-5">
        <StayFacts stay={stay} />
        <p className="text-muted-foreground">
          {t("card.opensUntil", { until: formatDateTime(stay.endsAt, timeZone) })}
        </p>
        <GuestCardFields cards={cards} room={stay.room.name} guests={stay.guests.length} />
        <div className="flex gap-2">
          <Button
            ref={button}
            variant="primary"
            size="lg"
            className="flex-1"
            pending={cards.busy}
            onClick={cards.write}
          >
            <Nfc aria-hidden />
            {cards.label}
          </Button>
          {cards.busy && (
            <Button size="lg" onClick={cards.cancel}>
              {t("common.cancel")}
            </Button>
          )}
        </div>
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted-foreground max-lg:hidden">
          <span>
            <Kbd>Enter</Kbd> {t("card.station.enter")}
          </span>
          <span>
            <Kbd>Esc</Kbd> {t("card.station.escape")}
          </span>
        </p>
      </CardBody>
    </Card>
  );
}
