import type { StayDetail } from "@innkey/shared/schemas/stays";
import { useQuery } from "@tanstack/react-query";
import { CalendarSync, Nfc } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { StayFacts } from "@/entities/stay/stay-facts.tsx";
import { formatDateTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { Can } from "@/ui/can.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody } from "@/ui/primitives/card.tsx";
import { Kbd } from "@/ui/primitives/kbd.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { StayCards } from "../stay-cards.tsx";
import { GuestCardFields } from "../writing/guest-card-fields.tsx";
import { useGuestCards } from "../writing/use-guest-cards.ts";

/** Writes cards for the guests of a room, one after the other. */
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
