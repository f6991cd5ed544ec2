import { type StayDetail, updateStayInput } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeftRight, CalendarSync, CalendarX, DoorOpen, KeyRound, Pencil, Undo2, UserX } from "lucide-react";
import { useState } from "react";
import { CustomerCombobox } from "@/entities/customer/customer-combobox.tsx";
import { quantityOf } from "@/entities/stay/period.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { cn } from "@/lib/cn.ts";
import { formatDateTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { useNow } from "@/lib/time/timers.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading, Fact } from "@/ui/card-parts.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";
import { StayProgress } from "./stay-progress.tsx";

/** Edits the details of a stay, but not its period, room or money. */
function EditStayDialog({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const can = useCan();
  const { id: stayId, breakfast, otherInformation, idCardMatch, customer } = stay;
  const form = useZodForm(updateStayInput, {
    defaultValues: { stayId, breakfast, otherInformation, idCardMatch, customerId: customer?.id ?? null },
  });
  const update = useMutation(trpc.stays.update.mutationOptions({ meta: { shownInForm: true } }));

  return (
    <FormDialog
      form={form}
      title={t("guest.editStay")}
      width="sm"
      submitLabel={t("common.save")}
      onClose={onClose}
      onSubmit={async (values) => {
        await update.mutateAsync(values);
        toast.success(t("guest.staySaved"));
        onClose();
      }}
    >
      <Field form={form} name="breakfast" label={t("stay.breakfast")} layout="inline">
        {(control) => <CheckboxInput {...control} />}
      </Field>
      <Field
        form={form}
        name="idCardMatch"
        label={t("stay.idCardMatch")}
        hint={t("stay.idCardMatchHint")}
        layout="inline"
      >
        {(control) => <CheckboxInput {...control} />}
      </Field>
      {can("customers.view") && (
        <Field form={form} name="customerId" label={t("stay.customer")}>
          {(control) => <CustomerCombobox {...control} value={control.value ?? null} current={customer} />}
        </Field>
      )}
      <Field form={form} name="otherInformation" label={t("stay.otherInformation")}>
        {(control) => <Textarea {...control} value={control.value ?? ""} />}
      </Field>
    </FormDialog>
  );
}

export function StayCard({ stay }: { stay: StayDetail }) {
  const can = useCan();
  const hotel = useHotel();
  const [isEditing, setIsEditing] = useState(false);
  const isOpen = stay.state === "reserved" || stay.state === "checked_in";
  const yesNo = (value: boolean): string => (value ? t("guest.yes") : t("guest.no"));
  const quantity = quantityOf(stay, stay.unit, hotel);

  return (
    <Card>
      <CardHeading
        title={t("guest.stay")}
        actions={
          isOpen &&
          can("stays.manage") && (
            <ActionButton size="sm" variant="ghost" onClick={() => setIsEditing(true)}>
              <Pencil aria-hidden />
              {t("common.edit")}
            </ActionButton>
          )
        }
      />
      <CardContent className="grid gap-5">
        <StayProgress stay={stay} />
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3.5 border-t pt-4 sm:grid-cols-3">
          <Fact label={t("guest.room")}>
            {can("rooms.view") ? (
              <Link
                to="/room/$roomId"
                params={{ roomId: stay.room.id }}
                className="font-medium underline decoration-border underline-offset-4 hover:decoration-current"
              >
                <bdi>{stay.room.name}</bdi>
              </Link>
            ) : (
              <bdi className="font-medium">{stay.room.name}</bdi>
            )}
          </Fact>
          <Fact label={t("guest.length")}>
            {quantity > 0 && t(`stay.quantityOf.${stay.unit}`, { count: quantity })}
          </Fact>
          {stay.checkedInByGuest && <Fact label={t("guest.checkedInBy")}>{t("history.byGuest")}</Fact>}
          <Fact label={t("stay.customer")}>{stay.customer?.name || undefined}</Fact>
          <Fact label={t("stay.breakfast")}>{yesNo(stay.breakfast)}</Fact>
          <Fact label={t("stay.idCardMatch")}>
            {stay.idCardMatch && !stay.idCardRead ? (
              <span className="font-medium text-expired">{t("stay.idCardWaits")}</span>
            ) : (
              yesNo(stay.idCardMatch)
            )}
          </Fact>
          {stay.noShowReason && (
            <Fact label={t("stay.noShowReason")} className="col-span-full">
              <bdi className="whitespace-pre-wrap">{stay.noShowReason}</bdi>
            </Fact>
          )}
          <Fact label={t("stay.otherInformation")} className="col-span-full">
            {stay.otherInformation && <span className="whitespace-pre-wrap">{stay.otherInformation}</span>}
          </Fact>
        </dl>
      </CardContent>
      {isEditing && <EditStayDialog stay={stay} onClose={() => setIsEditing(false)} />}
    </Card>
  );
}

/** Buttons for the actions that the stay's state allows; the likeliest one is last. */
export function StayButtons({ stay }: { stay: StayDetail }) {
  const can = useCan();
  const stays = useStayActions();
  const now = useNow();
  if (!can("stays.manage")) return null;
  if ((stay.state === "cancelled" || stay.state === "no_show") && Date.parse(stay.endsAt) > now) {
    return (
      <ActionButton variant="outline" onClick={() => stays.reinstate(stay.id)}>
        <Undo2 aria-hidden />
        {t("stay.reinstate")}
      </ActionButton>
    );
  }
  if (stay.checkOutUndo) {
    return (
      <ActionButton variant="outline" onClick={() => stays.undoCheckOut(stay.id)}>
        <Undo2 aria-hidden />
        {t("stay.undoCheckOut")}
      </ActionButton>
    );
  }
  if (stay.state === "reserved") {
    return (
      <>
        <ActionButton variant="ghost-destructive" onClick={() => stays.cancel(stay.id)}>
          <CalendarX aria-hidden />
          {t("stay.cancelReservation")}
        </ActionButton>
        {Date.parse(stay.startsAt) <= now && (
          <ActionButton variant="outline" onClick={() => stays.noShow(stay.id)}>
            <UserX aria-hidden />
            {t("stay.noShow")}
          </ActionButton>
        )}
        <ActionButton variant="outline" onClick={() => stays.changeRoom(stay.id)}>
          <ArrowLeftRight aria-hidden />
          {t("stay.changeRoom")}
        </ActionButton>
        <ActionButton onClick={() => stays.arrive(stay.id)}>
          <KeyRound aria-hidden />
          {t("stay.checkIn")}
        </ActionButton>
      </>
    );
  }
  if (stay.state !== "checked_in") return null;
  return (
    <>
      {stay.checkInUndo && (
        <ActionButton variant="ghost" onClick={() => stays.undoCheckIn(stay.id)}>
          <Undo2 aria-hidden />
          {t("stay.undoCheckIn")}
        </ActionButton>
      )}
      <ActionButton variant="outline" onClick={() => stays.renew(stay.id)}>
        <CalendarSync aria-hidden />
        {t("stay.renew")}
      </ActionButton>
      <ActionButton variant="outline" disabled={stay.expired} onClick={() => stays.changeRoom(stay.id)}>
        <ArrowLeftRight aria-hidden />
        {t("stay.changeRoom")}
      </ActionButton>
      <ActionButton onClick={() => stays.checkOut(stay.id)}>
        <DoorOpen aria-hidden />
        {t("stay.checkOut")}
      </ActionButton>
    </>
  );
}

const PRESENT_STATES = ["held", "in_house"];

/** Lists the rooms of the stay, the present one first. */
export function RoomsCard({ stay }: { stay: StayDetail }) {
  const { timeZone } = useHotel();
  if (stay.occupancies.length < 2) return null;
  return (
    <Card>
      <CardHeading title={t("guest.rooms")} />
      <CardContent>
        <ol className="grid gap-4">
          {stay.occupancies.toReversed().map((occupancy) => {
            const isPresent = PRESENT_STATES.includes(occupancy.state);
            return (
              <li key={`${occupancy.roomId}${occupancy.startsAt}`} className="flex items-baseline gap-3">
                <span
                  aria-hidden
                  className={cn("size-2 shrink-0 rounded-full", isPresent ? "bg-checked-in" : "bg-border")}
                />
                <bdi className={cn("min-w-14 font-semibold", !isPresent && "text-muted-foreground")}>
                  {occupancy.roomName}
                </bdi>
                <span className="text-muted-foreground">
                  {formatDateTime(occupancy.startsAt, timeZone)} – {formatDateTime(occupancy.endsAt, timeZone)}
                </span>
                {isPresent && <span className="sr-only">{t("guest.present")}</span>}
              </li>
            );
          })}
        </ol>
      </CardContent>
    </Card>
  );
}
