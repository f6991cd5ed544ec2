import type { StayDetail } from "@innkey/shared/schemas/stays";
import { StayDialog } from "@/entities/stay/stay-dialog.tsx";
import { StayFacts } from "@/entities/stay/stay-facts.tsx";
import { formatDateTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { GuestCardFields } from "./guest-card-fields.tsx";
import { useGuestCards } from "./use-guest-cards.ts";
import { WritingDialogContent } from "./writing-dialog.tsx";

/** Writes room cards for guests who are checked in. */
export function CardDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <StayDialog stayId={stayId} title={t("card.newCard")} onClose={onClose}>
      {(stay) => <CardContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function CardContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const cards = useGuestCards(stay);
  return (
    <WritingDialogContent
      title={t("card.newCardFor", { room: stay.room.name })}
      description={t("card.opensUntil", { until: formatDateTime(stay.endsAt, timeZone) })}
      writing={cards}
      label={cards.label}
      onClose={onClose}
    >
      <StayFacts stay={stay} />
      <GuestCardFields cards={cards} room={stay.room.name} guests={stay.guests.length} />
    </WritingDialogContent>
  );
}
