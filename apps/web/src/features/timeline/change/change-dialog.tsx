import { PaymentChannel } from "@innkey/shared/enums";
import type { QuoteLine } from "@innkey/shared/price-rules";
import type {
  ChangePreview,
  ChangeTarget,
  KeyImpact,
  LockImpact,
  LockImpactItem,
  ReservationMoved,
} from "@innkey/shared/schemas/overview/timeline";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleAlert, KeyRound, LockKeyhole } from "lucide-react";
import { useState } from "react";
import { z } from "zod";
import { FreeRoomsInstead } from "@/entities/room/free-rooms.tsx";
import { useEndWithKeys } from "@/entities/stay/end-with-keys.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { askAndRepeat, askDirty, askNewPrice } from "@/entities/stay/stay-dialog.tsx";
import {
  actLabel,
  ChannelChoice,
  MoneyRow,
  moneyMovement,
  QuoteLines,
  RemainingCreditNote,
} from "@/entities/stay/stay-money.tsx";
import { api } from "@/lib/api.ts";
import { formatPriceChange, formatShort } from "@/lib/format.ts";
import { type TextKey, t, textOf } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { periodLabel } from "../timeline-labels.ts";

/** Returns the type and holder of a key, e.g. "Door code · Ann". */
function keyName(kind: LockImpactItem["kind"], label: string): string {
  if (kind === "old_cards") return t("timeline.oldCards");
  return [t(`locks.kind.${kind}`), label && `\u2068${label}\u2069`].filter(Boolean).join(" · ");
}

function impactText({ kind, what, label, from, to }: LockImpactItem, timeZone: string): string {
  const key = keyName(kind, label);
  const end = to === null ? t("board.untilFurtherNotice") : formatShort(to, timeZone);
  return t(`timeline.tell.${what}`, { key, from: formatShort(from, timeZone), to: end });
}

type LockImpactProps = { locks: readonly LockImpact[]; keys: readonly KeyImpact[] };

/** Lists the commands that each lock will receive, and what happens to the other keys. */
export function LockImpactList({ locks, keys }: LockImpactProps) {
  const { timeZone } = useHotel();
  return (
    <section aria-label={t("timeline.locks")} className="grid gap-3 border-t pt-4">
      <h3 className="text-sm font-semibold">{t("timeline.locks")}</h3>
      {locks.length === 0 && <p className="text-muted-foreground">{t("timeline.noLocks")}</p>}
      {locks.map(({ lockId, lockName, roomName, driver, online, tells }) => (
        <div key={lockId} className="rounded-md border">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b bg-sunken px-3 py-1.5 text-sm">
            <LockKeyhole aria-hidden className="size-4 shrink-0 text-muted-foreground" />
            <span className="font-medium">{t("board.roomNamed", { name: roomName || "–" })}</span>
            <bdi className="min-w-0 truncate text-muted-foreground">{lockName}</bdi>
            <span className="text-muted-foreground max-sm:hidden">{t(`locks.driver.${driver}`)}</span>
            <span className="ms-auto">
              <StatusChip size="sm" tone={online ? "success" : "expired"}>
                {online ? t("timeline.toldNow") : t("timeline.toldLater")}
              </StatusChip>
            </span>
          </p>
          <ul className="grid gap-1 px-3 py-2">
            {tells.map((impact) => (
              <li key={`${impact.kind}${impact.what}${impact.label}${impact.from}`}>{impactText(impact, timeZone)}</li>
            ))}
          </ul>
        </div>
      ))}
      {keys.length > 0 && (
        <ul className="grid gap-1.5 rounded-md bg-expired-soft px-3 py-2">
          {keys.map(({ kind, label, what, until }) => (
            <li key={`${kind}${label}${what}`} className="flex gap-2">
              <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0 text-expired" />
              {t(`timeline.key.${what}`, { key: keyName(kind, label), until: formatShort(until, timeZone) })}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Undo = ReservationMoved["undo"];
type AgreedTerms = { channel: PaymentChannel | null; expectedMinor: number; confirmDirty: boolean };

/**
 * Makes the previewed change. A party in the house ends with its keys, as after every other act; a reservation with a
 * message that can undo a move. Does nothing if the user declined a question.
 */
export function useChange(
  target: ChangeTarget,
  onDone: () => void,
): {
  save: (preview: ChangePreview, channel: PaymentChannel | null, refetch: () => Promise<unknown>) => Promise<void>;
} {
  const { currency, timeZone } = useHotel();
  const meta = { shownInForm: true };
  const move = useMutation(trpc.stays.moveReservation.mutationOptions({ meta }));
  const shorten = useMutation(trpc.stays.shorten.mutationOptions({ meta }));
  const renew = useMutation(trpc.stays.renew.mutationOptions({ meta }));
  const changeRoom = useMutation(trpc.stays.changeRoom.mutationOptions({ meta }));
  const endWithKeys = useEndWithKeys();
  const { stayId, roomId, endsAt } = target;

  async function act(
    kind: ChangePreview["kind"],
    { channel, expectedMinor, confirmDirty }: AgreedTerms,
  ): Promise<{ undo: Undo }> {
    const expectedDifferenceMinor = expectedMinor;
    if (kind === "move") return move.mutateAsync({ ...target, channel, expectedDifferenceMinor });
    if (kind === "shorten") await shorten.mutateAsync({ stayId, endsAt, channel, expectedDifferenceMinor });
    if (kind === "renew") await renew.mutateAsync({ stayId, endsAt, channel, expectedTotalMinor: expectedMinor });
    if (kind === "changeRoom") {
      await changeRoom.mutateAsync({ stayId, roomId, channel, confirmDirty, expectedDifferenceMinor });
    }
    return { undo: null };
  }

  return {
    save: async (preview, channel, refetch) => {
      const terms = { channel, expectedMinor: preview.differenceMinor, confirmDirty: preview.roomDirty };
      const result = await askAndRepeat<AgreedTerms, { undo: Undo }>(terms, (input) => act(preview.kind, input), {
        room_not_ready: askDirty,
        price_changed: async (failure) => {
          const accepted = await askNewPrice(failure, currency, refetch);
          return accepted === null ? null : { expectedMinor: accepted };
        },
      });
      if (!result) return;
      const { guestName, to } = preview;
      const params = { guest: guestName, room: to.roomName, period: periodLabel(to.startsAt, to.endsAt, timeZone) };
      const done = t("timeline.changed", params);
      if (preview.state === "checked_in") {
        await endWithKeys(stayId, preview.kind === "changeRoom" ? "move" : "extension", done, onDone);
        return;
      }
      const { undo } = result;
      toast.success(
        done,
        undo ? { action: { label: t("common.undo"), onClick: () => void undoMove(undo) } } : undefined,
      );
      onDone();
    },
  };
}

/** Moves the reservation back. This fails if the room has been booked for another stay meanwhile. */
async function undoMove(undo: NonNullable<Undo>): Promise<void> {
  try {
    await api.stays.moveReservation.mutate(undo);
    toast.success(t("timeline.undone"));
  } catch (error) {
    toast.error(failureText(failureOf(error)));
  }
}

/** Shows the guest, the present room and period, and the new ones. */
function ChangeFacts({ preview }: { preview: ChangePreview }) {
  const { timeZone } = useHotel();
  const { from, to, guestName } = preview;
  const periodText = ({ roomName, startsAt, endsAt }: ChangePreview["from"]): string =>
    `${t("board.roomNamed", { name: `\u2068${roomName}\u2069` })} · ${periodLabel(startsAt, endsAt, timeZone)}`;
  return (
    <div className="rounded-lg bg-sunken px-4 py-3">
      <p dir="auto" className="name-run truncate font-semibold">
        {guestName}
      </p>
      <p className="text-sm text-muted-foreground line-through">{periodText(from)}</p>
      <p className="font-medium">{periodText(to)}</p>
    </div>
  );
}

type ChangeRefusalProps = { preview: ChangePreview; target: ChangeTarget; onTarget: (target: ChangeTarget) => void };

/** Explains why the change is refused, lists the conflicts, and offers the rooms that are free instead. */
function ChangeRefusal({ preview, target, onTarget }: ChangeRefusalProps) {
  const { timeZone } = useHotel();
  const { refusal, conflicts } = preview;
  if (!refusal) return null;
  const fields = Object.values(refusal.fields).map(({ key, params }) => textOf(key as TextKey, params));
  const title =
    fields.length > 0 ? fields.join(" ") : failureText({ code: refusal.code as "room_taken", params: refusal.params });
  return (
    <>
      <Callout tone="danger" title={title}>
        {conflicts.length > 0 && (
          <ul className="mt-1 grid gap-1">
            {conflicts.map(({ kind, guestName, startsAt, endsAt, note }) => (
              <li key={startsAt} className="flex gap-2">
                <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
                {t("timeline.inTheWay", {
                  name: kind === "stay" ? `\u2068${guestName}\u2069` : note || t("status.maintenance"),
                  period: periodLabel(startsAt, endsAt, timeZone),
                })}
              </li>
            ))}
          </ul>
        )}
      </Callout>
      {conflicts.length > 0 && <OtherRooms preview={preview} target={target} onTarget={onTarget} />}
    </>
  );
}

/** Offers rooms that are free for the new period. */
function OtherRooms({ preview, target, onTarget }: ChangeRefusalProps) {
  const { currency } = useHotel();
  const actions = useStayActions();
  const { stayId, roomId, startsAt, endsAt } = target;
  const free = useQuery(trpc.availability.forStay.queryOptions({ stayId, startsAt, endsAt }));
  const room = useQuery(trpc.rooms.detail.queryOptions({ roomId }));
  if (!free.data) return null;
  return (
    <FreeRoomsInstead
      groups={free.data.groups}
      roomName={preview.to.roomName}
      groupId={room.data?.groupId}
      priceOf={({ priceMinor }) => (priceMinor === null ? "–" : formatPriceChange(priceMinor, currency))}
      onTake={(otherRoomId) => {
        // A party in the house changes rooms first and renews then.
        if (preview.kind === "renew" && preview.state === "checked_in") {
          actions.changeRoom(stayId, { roomId: otherRoomId, next: { act: "renew", endsAt } });
        } else onTarget({ ...target, roomId: otherRoomId });
      }}
    />
  );
}

type ChangeDialogProps = { target: ChangeTarget; onClose: (changed: boolean) => void };

/** Previews a change: its price, the commands to each lock, or the conflicts that prevent it. */
export default function ChangeDialog({ target: firstTarget, onClose }: ChangeDialogProps) {
  const [target, setTarget] = useState(firstTarget);
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
                <ChangeRefusal preview={preview.data} target={target} onTarget={setTarget} />
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
  const can = useCan();
  const form = useZodForm(payment, { defaultValues: { channel: null } });
  const { save } = useChange(target, () => onClose(true));
  const { currency } = useHotel();
  const { kind, movedMinor, roomDirty } = preview;
  const owes = movedMinor > 0;
  const paysOut = can("folio.refund");
  const channel = form.watch("channel");

  return (
    <FormDialogContent
      form={form}
      title={t(`timeline.kind.${kind}`)}
      submitLabel={actLabel(t(`timeline.kind.${kind}`), channel ? moneyMovement(movedMinor) : {}, currency)}
      onClose={() => onClose(false)}
      onSubmit={async (values) => {
        try {
          await save(preview, values.channel, refetch);
        } catch (error) {
          await refetch();
          throw error;
        }
      }}
    >
      <ChangeFacts preview={preview} />
      {roomDirty && <Callout tone="warning" title={t("stay.dirtyTitle", { roomName: preview.to.roomName })} />}
      <ChangeBill preview={preview} />
      {movedMinor < 0 && !paysOut && <RemainingCreditNote minor={-movedMinor} />}
      {movedMinor !== 0 && (owes || paysOut) && (
        <Field form={form} name="channel" label={owes ? t("stay.payNow") : t("stay.giveBack")} quiet layout="group">
          {(control) => <ChannelChoice {...control} laterLabel={owes ? t("stay.payLater") : t("stay.keepAsCredit")} />}
        </Field>
      )}
      <LockImpactList locks={preview.locks} keys={preview.keys} />
    </FormDialogContent>
  );
}

/** Shows the credit, the new charge and the difference. */
function ChangeBill({ preview: { credit, charge, differenceMinor } }: { preview: ChangePreview }) {
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
