import { PaymentChannel } from "@innkey/shared/enums";
import type { QuoteLine } from "@innkey/shared/quote";
import type { ChangePreview, ChangeTarget } from "@innkey/shared/schemas/overview/timeline";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { z } from "zod";
import { actLabel, moneyMoved } from "@/entities/stay/act-label.ts";
import { ChannelChoice, CreditStays } from "@/entities/stay/channel-choice.tsx";
import { MoneyRow, QuoteLines } from "@/entities/stay/quote-lines.tsx";
import { failureText } from "@/lib/api-error.ts";
import { type TextKey, textOf, useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { periodWords } from "../timeline-words.ts";
import { LockNewsList } from "./lock-impact-list.tsx";
import { useChange } from "./use-change.ts";

/** Shows the guest, the present room and period, and the new ones. */
function ChangeFacts({ preview }: { preview: ChangePreview }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { from, to, guestName } = preview;
  const textOfPlace = ({ roomName, startsAt, endsAt }: ChangePreview["from"]): string =>
    `${t("board.roomNamed", { name: `\u2068${roomName}\u2069` })} · ${periodWords(t, startsAt, endsAt, timeZone)}`;
  return (
    <div className="rounded-lg bg-sunken px-4 py-3">
      <p dir="auto" className="name-run truncate font-semibold">
        {guestName}
      </p>
      <p className="text-sm text-muted-foreground line-through">{textOfPlace(from)}</p>
      <p className="font-medium">{textOfPlace(to)}</p>
    </div>
  );
}

/** Explains why the change is refused, and lists the conflicts. */
function ChangeRefusal({ preview }: { preview: ChangePreview }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { refusal, conflicts } = preview;
  if (!refusal) return null;
  const fields = Object.values(refusal.fields).map(({ key, params }) => textOf(key as TextKey, params));
  const title =
    fields.length > 0 ? fields.join(" ") : failureText({ code: refusal.code as "room_taken", params: refusal.params });
  return (
    <Callout tone="danger" title={title}>
      {conflicts.length > 0 && (
        <ul className="mt-1 grid gap-1">
          {conflicts.map(({ kind, guestName, startsAt, endsAt, note }) => (
            <li key={startsAt} className="flex gap-2">
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
              {t("timeline.inTheWay", {
                name: kind === "stay" ? `\u2068${guestName}\u2069` : note || t("status.maintenance"),
                period: periodWords(t, startsAt, endsAt, timeZone),
              })}
            </li>
          ))}
        </ul>
      )}
    </Callout>
  );
}

type ChangeDialogProps = { target: ChangeTarget; onClose: (changed: boolean) => void };

/** Previews a change: its price, the commands to each lock, or the conflicts that prevent it. */
export default function ChangeDialog({ target, onClose }: ChangeDialogProps) {
  const { t } = useTranslation();
  const preview = useQuery(trpc.stays.previewChange.queryOptions(target, { staleTime: 0, gcTime: 0 }));
  const close = (): void => onClose(false);
  const refused = preview.data && (preview.data.refusal !== null || preview.data.kind === "none");
  return (
    <Dialog open onOpenChange={(open) => !open && close()}>
      {preview.data && !refused ? (
        <Confirm target={target} preview={preview.data} refetch={preview.refetch} onClose={onClose} />
      ) : (
        <DialogPanel
          title={preview.data ? t(`timeline.kind.${preview.data.kind}`) : t("timeline.title")}
          footer={
            <Button variant="outline" onClick={close}>
              {t("common.close")}
            </Button>
          }
        >
          {preview.error ? (
            <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
          ) : preview.data ? (
            <div className="grid grid-cols-1 gap-4">
              <ChangeFacts preview={preview.data} />
              {preview.data.refusal ? (
                <ChangeRefusal preview={preview.data} />
              ) : (
                <p>{t("validation.nothingChanged")}</p>
              )}
            </div>
          ) : (
            <div className="grid gap-3" aria-busy>
              <Skeleton className="h-20" />
              <Skeleton className="h-32" />
            </div>
          )}
        </DialogPanel>
      )}
    </Dialog>
  );
}

const payment = z.object({ channel: PaymentChannel.nullable() });

type ConfirmProps = ChangeDialogProps & { preview: ChangePreview; refetch: () => Promise<unknown> };

function Confirm({ target, preview, refetch, onClose }: ConfirmProps) {
  const { t } = useTranslation();
  const can = useCan();
  const form = useZodForm(payment, { defaultValues: { channel: null } });
  const { save } = useChange(target);
  const { currency } = useHotel();
  const { kind, movedMinor, roomDirty } = preview;
  const owes = movedMinor > 0;
  const paysOut = can("folio.refund");
  const channel = form.watch("channel");

  return (
    <FormDialogContent
      form={form}
      title={t(`timeline.kind.${kind}`)}
      submitLabel={actLabel(t, t(`timeline.kind.${kind}`), channel ? moneyMoved(movedMinor) : {}, currency)}
      onClose={() => onClose(false)}
      onSubmit={async (values) => {
        try {
          if (await save(preview, values.channel, refetch)) onClose(true);
        } catch (error) {
          await refetch();
          throw error;
        }
      }}
    >
      <ChangeFacts preview={preview} />
      {roomDirty && <Callout tone="warning" title={t("stay.dirtyTitle", { roomName: preview.to.roomName })} />}
      <ChangeBill preview={preview} />
      {movedMinor < 0 && !paysOut && <CreditStays minor={-movedMinor} />}
      {movedMinor !== 0 && (owes || paysOut) && (
        <Field form={form} name="channel" label={owes ? t("stay.payNow") : t("stay.giveBack")} quiet layout="group">
          {(control) => <ChannelChoice {...control} laterLabel={owes ? t("stay.payLater") : t("stay.keepAsCredit")} />}
        </Field>
      )}
      <LockNewsList locks={preview.locks} keys={preview.keys} />
    </FormDialogContent>
  );
}

/** Shows the credit, the new charge and the difference. */
function ChangeBill({ preview: { credit, charge, differenceMinor } }: { preview: ChangePreview }) {
  const { t } = useTranslation();
  if (credit.length + charge.length === 0) {
    return <p className="border-t pt-4 text-muted-foreground">{t("timeline.costsNothing")}</p>;
  }
  return (
    <section aria-label={t("stay.bill")} className="grid gap-3 border-t pt-4">
      {credit.length > 0 && <Part lines={credit} label={t("timeline.givenBack")} />}
      {charge.length > 0 && <Part lines={charge} label={t("timeline.charged")} />}
      <dl aria-live="polite">
        <MoneyRow
          label={differenceMinor < 0 ? t("stay.inFavour") : t("stay.difference")}
          minor={differenceMinor}
          strong
        />
      </dl>
    </section>
  );
}

function Part({ lines, label }: { lines: readonly QuoteLine[]; label: string }) {
  return (
    <div>
      <p className="mb-1.5 text-xs font-medium text-muted-foreground">{label}</p>
      <QuoteLines lines={lines} label={label} />
    </div>
  );
}
