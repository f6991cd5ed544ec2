import type { PreCheckInState } from "@innkey/shared/schemas/stays/pre-check-in";
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
