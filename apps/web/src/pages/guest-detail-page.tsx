import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useQuery } from "@tanstack/react-query";
import { GuestStateChip, guestStateOf } from "@/entities/guest/guest-state-chip.tsx";
import { StayCards } from "@/features/cards/stay-cards.tsx";
import { GuestPrivacy } from "@/features/data/privacy/person-acts.tsx";
import { StayFaces } from "@/features/faces/grants-card.tsx";
import { GuestLinkCard } from "@/features/guests/detail/guest-link-card.tsx";
import { GuestMessagesCard } from "@/features/guests/detail/guest-messages-card.tsx";
import { GuestsCard } from "@/features/guests/detail/guests-card.tsx";
import { GuestPicturesCard, PreCheckInCard } from "@/features/guests/detail/pre-check-in-card.tsx";
import { RoomsCard, StayButtons, StayCard } from "@/features/guests/detail/stay-card.tsx";
import { FolioCard, MoneyCard } from "@/features/money/entries/money-card.tsx";
import { StayPasscodes } from "@/features/passcodes/stay-passcodes.tsx";
import { GuestDoors } from "@/features/unlocks/guest-doors.tsx";
import { t } from "@/lib/i18n.ts";
import { usePageName } from "@/lib/page-title.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { missingSubject } from "@/ui/missing-subject.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";

/** Shows a guest's stay: the person, the room, the remaining time and the money. */
export function GuestDetailPage({
  stayGuestId,
  otherInformation,
}: {
  stayGuestId: number;
  otherInformation: string | undefined;
}) {
  const stay = useQuery(trpc.stays.byGuest.queryOptions({ stayGuestId }));
  const guest = stay.data?.guests.find((stayGuest) => stayGuest.stayGuestId === stayGuestId);
  usePageName(guest?.name);
  if (stay.error && !stay.data) {
    const missing = missingSubject("guest", "/guests", t("nav.guests"));
    return <ErrorState error={stay.error} onRetry={() => void stay.refetch()} missing={missing} />;
  }
  if (!stay.data || !guest) {
    return (
      <>
        {otherInformation && <p className="mb-3 text-muted-foreground">{otherInformation}</p>}
        <PageSkeleton />
      </>
    );
  }
  return <Loaded stay={stay.data} guest={guest} />;
}

function Loaded({ stay, guest }: { stay: StayDetail; guest: StayDetail["guests"][number] }) {
  const { stayGuestId, name } = guest;
  const can = useCan();
  return (
    <>
      <PageHeader
        title={name}
        status={<GuestStateChip state={guestStateOf(stay)} />}
        description={t("guest.inRoom", { room: stay.room.name })}
        actions={<StayButtons stay={stay} />}
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-5 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid min-w-0 grid-cols-1 gap-4 lg:gap-5">
          <StayCard stay={stay} />
          <GuestsCard stay={stay} stayGuestId={stayGuestId} />
          {can("cards.view") && <StayCards stay={stay} />}
          {can("passcodes.view") && <StayPasscodes stay={stay} />}
          {can("faces.view") && <StayFaces stay={stay} />}
          <RoomsCard stay={stay} />
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-4 lg:gap-5">
          <MoneyCard stay={stay} />
          <PreCheckInCard stay={stay} stayGuestId={stayGuestId} />
          <GuestPicturesCard stayGuestId={stayGuestId} />
          <GuestLinkCard stay={stay} guest={guest} />
          <GuestMessagesCard guest={guest} />
          {stay.entries.length > 0 && <FolioCard stay={stay} />}
          {can("unlocks.view") && <GuestDoors stayGuestId={stayGuestId} stayId={stay.id} />}
          {can("privacy.manage") && <GuestPrivacy stay={stay} stayGuestId={stayGuestId} />}
        </div>
      </div>
    </>
  );
}
