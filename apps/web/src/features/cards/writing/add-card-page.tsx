import type { PrepareMasterInput } from "@innkey/shared/schemas/access/cards";
import * as f from "@innkey/shared/schemas/fields";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { DoorClosed } from "lucide-react";
import { type Ref, useState } from "react";
import { z } from "zod";
import { editedHours, HoursInput } from "@/entities/credential/hours-input.tsx";
import { hoursText } from "@/entities/credential/hours-text.ts";
import { windowText } from "@/entities/lock/lock-labels.ts";
import { boardQuery, collator } from "@/entities/room/board-query.ts";
import { formatList, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { HotelDateTimeInput } from "@/ui/form/dates/hotel-date-time-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, FormActions, useZodForm } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { clearDraft, readDraft, saveDraft } from "./card-draft.ts";
import { useCardWriting, WritingDialogContent, WritingPanel } from "./writing-panel.tsx";

type CardDoors = Pick<PrepareMasterInput, "roomIds" | "doorIds" | "groupIds" | "zoneIds">;

/** Names the room groups and zones that a staff card opens, and counts its single rooms and names them with the common doors. */
function DoorNames({ roomIds, doorIds, groupIds, zoneIds }: CardDoors) {
  const { data } = useQuery(boardQuery);
  const commonDoors = useQuery(trpc.doors.list.queryOptions(undefined, { enabled: doorIds.length > 0 }));
  const zones = useQuery(trpc.zones.list.queryOptions(undefined, { enabled: zoneIds.length > 0 }));
  const idSet = new Set(roomIds);
  const rooms = (data?.rooms ?? []).filter(({ id }) => idSet.has(id)).map(({ name }) => name);
  const doors = (commonDoors.data ?? []).filter(({ id }) => doorIds.includes(id)).map(({ name }) => name);
  const groups = (data?.groups ?? []).filter(({ id }) => groupIds.includes(id)).map(({ name }) => name);
  const zoneNames = (zones.data ?? []).filter(({ id }) => zoneIds.includes(id)).map(({ name }) => name);
  const followed = [...groups, ...zoneNames];
  const names = [...rooms.toSorted(collator.compare), ...doors];
  return (
    <div className="grid gap-1 text-sm text-pretty text-muted-foreground">
      {followed.length > 0 && (
        <p>
          <bdi>{formatList(followed)}</bdi>
        </p>
      )}
      {names.length > 0 && (
        <p>
          {t("card.roomCount", { total: formatNumber(roomIds.length) })}
          {" · "}
          <bdi>{formatList(names)}</bdi>
        </p>
      )}
    </div>
  );
}

type ChosenDoorsProps = CardDoors & {
  buttonRef: Ref<HTMLButtonElement>;
  describedBy: string | undefined;
  onChoose: () => void;
};

/** The doors that were chosen for a card, with the button that leads to the choice. */
export function ChosenDoors({ buttonRef, describedBy, onChoose, ...doors }: ChosenDoorsProps) {
  const { roomIds, doorIds, groupIds, zoneIds } = doors;
  return (
    <div className="flex items-start justify-between gap-4 rounded-md border px-4 py-3">
      {roomIds.length + doorIds.length + groupIds.length + zoneIds.length > 0 ? (
        <DoorNames {...doors} />
      ) : (
        <p className="text-sm text-muted-foreground">{t("card.noRooms")}</p>
      )}
      <Button variant="outline" ref={buttonRef} size="sm" aria-describedby={describedBy} onClick={onChoose}>
        <DoorClosed aria-hidden />
        {t("card.chooseRooms")}
      </Button>
    </div>
  );
}

export type MasterCard = Omit<PrepareMasterInput, "uid" | "overwrite">;

type MasterCardDialogProps = {
  card: MasterCard;
  /** `written` is true if at least one card was written. */
  onClose: (written: boolean) => void;
};

/** Writes a card of the house, or several of the same kind one after the other. */
export function MasterCardDialog({ card, onClose }: MasterCardDialogProps) {
  const { timeZone } = useHotel();
  const prepare = useMutation(trpc.cards.prepareMaster.mutationOptions({ meta: { shownInForm: true } }));
  const writing = useCardWriting((written) => prepare.mutateAsync({ ...card, ...written }));
  const close = (): void => onClose(writing.writtenUids.length > 0);
  return (
    <Dialog open onOpenChange={(open) => !open && close()}>
      <WritingDialogContent
        title={t(`locks.cardKind.${card.kind}`)}
        description={t(`card.${card.kind}.opens`)}
        writing={writing}
        label={writing.writtenUids.length > 0 ? t("card.another") : t("card.write")}
        onClose={close}
      >
        <div className="rounded-lg bg-sunken px-4 py-3">
          <p dir="auto" className="name-run font-medium">
            {card.note}
          </p>
          {card.kind !== "universal" && !card.allDoors && <DoorNames {...card} />}
          {card.allDoors && <p className="text-sm text-muted-foreground">{t("card.special.allDoors")}</p>}
          {card.hours && card.hours.length > 0 && (
            <p className="text-sm text-muted-foreground">{hoursText(card.hours)}</p>
          )}
          <p className="text-sm text-muted-foreground">
            {card.validTo ? windowText(card.validFrom, card.validTo, timeZone) : t("card.permanent")}
          </p>
        </div>
        <WritingPanel progress={writing.progress} />
      </WritingDialogContent>
    </Dialog>
  );
}

/** Form for a staff or master key card, before a card is on the reader and its number is known. */
const masterCardForm = z
  .object({
    kind: z.enum(["management", "universal"]),
    note: f.requiredText(100),
    roomIds: z.array(f.id),
    doorIds: z.array(f.id),
    groupIds: z.array(f.id),
    zoneIds: z.array(f.id),
    hours: editedHours,
    lasting: z.enum(["always", "until"]),
    validFrom: f.instant.nullable(),
    validTo: f.instant.nullable(),
  })
  .superRefine(({ kind, roomIds, doorIds, groupIds, zoneIds, lasting, validFrom, validTo }, ctx) => {
    const fail = (path: string, message: string): void => {
      ctx.issues.push({ code: "custom", message, path: [path], input: null });
    };
    const doors = roomIds.length + doorIds.length + groupIds.length + zoneIds.length;
    if (kind === "management" && doors === 0) fail("roomIds", f.v.required);
    if (lasting === "always") return;
    if (validTo === null) fail("validTo", f.v.required);
    else if (validFrom !== null && validTo <= validFrom) fail("validTo", f.v.endBeforeStart);
    else if (Date.parse(validTo) <= Date.now()) fail("validTo", f.v.endPast);
  })
  .transform(({ lasting, validTo, ...card }) => ({
    ...card,
    allDoors: false,
    validTo: lasting === "always" ? null : validTo,
  }));

const LISTS = { management: "/center/cardList", universal: "/center/universalCardList" } as const;

/** Describes a new staff or master key card (purpose, rooms and period) and then writes it. */
export function AddCardPage({ kind }: { kind: "management" | "universal" }) {
  const navigate = useNavigate();
  const isAllowed = useCan()("cards.master");
  const [cardToWrite, setCardToWrite] = useState<MasterCard>();
  const form = useZodForm(masterCardForm, { defaultValues: { ...readDraft(), kind } });
  const [lasting, doorIds, groupIds, zoneIds] = form.watch(["lasting", "doorIds", "groupIds", "zoneIds"]);
  if (!isAllowed) return <NoPermission />;

  function chooseRooms(): void {
    saveDraft({ ...form.getValues(), kind: "management" });
    void navigate({ to: "/center/selectRoomList" });
  }

  return (
    <>
      <PageHeader title={t(`card.${kind}.add`)} description={t(`card.${kind}.opens`)} />
      <Card className="max-w-3xl">
        <CardContent>
          <Form form={form} onSubmit={setCardToWrite} className="gap-5">
            <Field form={form} name="note" label={t("card.note")} hint={t("card.noteHint")} required>
              {(control) => <Input {...control} autoComplete="off" />}
            </Field>
            {kind === "management" && (
              <Field form={form} name="roomIds" label={t("card.rooms")} layout="group" required>
                {({ ref, value, ...control }) => (
                  <ChosenDoors
                    {...{ roomIds: value, doorIds, groupIds, zoneIds }}
                    buttonRef={ref}
                    describedBy={control["aria-describedby"]}
                    onChoose={chooseRooms}
                  />
                )}
              </Field>
            )}
            {kind === "management" && (
              <Field form={form} name="hours" label={t("card.hours.title")} hint={t("card.hours.hint")} layout="group">
                {(control) => <HoursInput {...control} />}
              </Field>
            )}
            <Field form={form} name="lasting" label={t("card.valid")} layout="group" required>
              {(control) => (
                <RadioInput
                  {...control}
                  className="grid gap-2 sm:grid-cols-2"
                  options={[
                    { value: "always", label: t("card.permanent"), hint: t("card.permanentHint") },
                    { value: "until", label: t("card.untilDate"), hint: t("card.untilDateHint") },
                  ]}
                />
              )}
            </Field>
            {lasting === "until" && (
              <div className="grid gap-4 sm:grid-cols-2">
                <Field form={form} name="validFrom" label={t("card.validFrom")} hint={t("card.validFromHint")}>
                  {(control) => <HotelDateTimeInput {...control} />}
                </Field>
                <Field form={form} name="validTo" label={t("card.validTo")} required>
                  {(control) => <HotelDateTimeInput {...control} />}
                </Field>
              </div>
            )}
            <FormActions>
              <Button variant="outline" asChild>
                <Link to={LISTS[kind]}>{t("common.cancel")}</Link>
              </Button>
              <ActionButton type="submit">{t("card.toWriting")}</ActionButton>
            </FormActions>
          </Form>
        </CardContent>
      </Card>
      {cardToWrite && (
        <MasterCardDialog
          card={cardToWrite}
          onClose={(written) => {
            setCardToWrite(undefined);
            if (!written) return;
            clearDraft();
            void navigate({ to: LISTS[kind] });
          }}
        />
      )}
    </>
  );
}
