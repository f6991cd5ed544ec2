import type { GuestPictureKind, PreCheckInState } from "@innkey/shared/schemas/stays/pre-check-in";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Check, Trash2 } from "lucide-react";
import { confirm } from "@/lib/confirm.ts";
import { formatLocalDate, formatShort, formatTimeOfDay } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading, Fact } from "@/ui/card-parts.tsx";
import { countryName } from "@/ui/form/countries.ts";
import { Card, CardContent } from "@/ui/primitives/card.tsx";

type PreCheckInCardProps = { stay: StayDetail; stayGuestId: number };

/** What the guest wrote about themselves before they arrive, until the desk takes it over or discards it. */
export function PreCheckInCard({ stay, stayGuestId }: PreCheckInCardProps) {
  const canManage = useCan()("stays.manage");
  const { timeZone } = useHotel();
  const { data } = useQuery(trpc.preCheckIns.read.queryOptions({ stayGuestId }));
  const takeOver = useMutation(trpc.preCheckIns.takeOver.mutationOptions());
  const discard = useMutation(trpc.preCheckIns.discard.mutationOptions());
  const isOpen = stay.state === "reserved" || stay.state === "checked_in";
  if (!data?.values || !isOpen) return null;
  const { sentAt } = data;

  async function takeOverNow(): Promise<void> {
    await takeOver.mutateAsync({ stayGuestId, sentAt });
    toast.success(t("preCheckIn.takenOver"));
  }

  function askToDiscard(): void {
    void confirm({
      title: t("preCheckIn.discardTitle"),
      description: t("preCheckIn.discardText"),
      confirmLabel: t("preCheckIn.discard"),
      tone: "danger",
      action: async () => {
        await discard.mutateAsync({ stayGuestId, sentAt });
      },
    });
  }

  return (
    <Card>
      <CardHeading
        title={t("preCheckIn.title")}
        description={t("preCheckIn.text", { time: formatShort(sentAt, timeZone) })}
      />
      <CardContent className="grid gap-4">
        <Values state={data} values={data.values} />
        <Pictures stayGuestId={stayGuestId} taken={false} />
        {canManage && (
          <div className="flex flex-wrap gap-2">
            <ActionButton size="sm" pending={takeOver.isPending} onClick={() => void takeOverNow()}>
              <Check aria-hidden />
              {t("preCheckIn.takeOver")}
            </ActionButton>
            <ActionButton size="sm" variant="ghost-destructive" onClick={askToDiscard}>
              <Trash2 aria-hidden />
              {t("preCheckIn.discard")}
            </ActionButton>
          </div>
        )}
      </CardContent>
    </Card>
  );
}

type ValuesProps = { state: NonNullable<PreCheckInState>; values: NonNullable<NonNullable<PreCheckInState>["values"]> };

function Values({ state, values }: ValuesProps) {
  const { name, birthDate, nationality, documentType, documentNumber } = values;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
      {name !== "" && (
        <Fact label={t("guest.name")}>
          <bdi>{name}</bdi>
        </Fact>
      )}
      {birthDate !== null && <Fact label={t("guest.birthDate")}>{formatLocalDate(birthDate)}</Fact>}
      {nationality !== null && <Fact label={t("guest.nationality")}>{countryName(nationality)}</Fact>}
      {documentNumber !== "" && (
        <Fact label={documentType ? t(`guest.document.${documentType}`) : t("guest.documentNumber")}>
          <bdi>{documentNumber}</bdi>
        </Fact>
      )}
      {state.arrivalTime !== null && (
        <Fact label={t("preCheckIn.arrivalTime")}>{formatTimeOfDay(state.arrivalTime)}</Fact>
      )}
    </dl>
  );
}

type PicturesProps = { stayGuestId: number; taken: boolean };

/** The signature and the photo of the document, for those who may see documents. */
function Pictures({ stayGuestId, taken }: PicturesProps) {
  const canSee = useCan()("guests.documents");
  const { data = [] } = useQuery(trpc.preCheckIns.pictures.queryOptions({ stayGuestId }));
  const pictures = data.filter((picture) => picture.taken === taken);
  if (pictures.length === 0) return null;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {pictures.map(({ kind, sentAt }) => (
        <figure key={kind} className="grid content-start gap-1.5">
          <figcaption className="text-sm text-muted-foreground">{t(`preCheckIn.picture.${kind}`)}</figcaption>
          {canSee ? (
            <a href={addressOf(stayGuestId, kind)} target="_blank" rel="noreferrer">
              <img
                // A new one has the same address.
                key={sentAt}
                src={addressOf(stayGuestId, kind)}
                alt={t(`preCheckIn.picture.${kind}`)}
                className="max-h-56 w-full rounded-md border bg-white object-contain"
              />
            </a>
          ) : (
            <p>{t("preCheckIn.pictureHidden")}</p>
          )}
        </figure>
      ))}
    </div>
  );
}

const addressOf = (stayGuestId: number, kind: GuestPictureKind): string => `/api/guest-pictures/${stayGuestId}/${kind}`;

/** What the desk has taken over of the pictures that a guest sent, until their documents are erased. */
export function GuestPicturesCard({ stayGuestId }: { stayGuestId: number }) {
  const canManage = useCan()("stays.manage");
  const { data = [] } = useQuery(trpc.preCheckIns.pictures.queryOptions({ stayGuestId }));
  const remove = useMutation(trpc.preCheckIns.deletePictures.mutationOptions());
  if (!data.some(({ taken }) => taken)) return null;

  function askToDelete(): void {
    void confirm({
      title: t("preCheckIn.deletePicturesTitle"),
      description: t("preCheckIn.deletePicturesText"),
      confirmLabel: t("preCheckIn.deletePictures"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ stayGuestId });
      },
    });
  }

  return (
    <Card>
      <CardHeading title={t("preCheckIn.picturesTitle")} description={t("preCheckIn.picturesText")} />
      <CardContent className="grid gap-4">
        <Pictures stayGuestId={stayGuestId} taken />
        {canManage && (
          <ActionButton size="sm" variant="ghost-destructive" className="justify-self-start" onClick={askToDelete}>
            <Trash2 aria-hidden />
            {t("preCheckIn.deletePictures")}
          </ActionButton>
        )}
      </CardContent>
    </Card>
  );
}
