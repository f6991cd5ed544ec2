import { MAX_ONE_SHOT_MINUTES, type PrepareOneShotInput } from "@innkey/shared/schemas/access/cards";
import * as f from "@innkey/shared/schemas/fields";
import { SPECIAL_CARD_KINDS } from "@innkey/shared/words";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { z } from "zod";
import { boardQuery, collator } from "@/entities/room/board-query.ts";
import { formatNumber, formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { HotelDateTimeInput } from "@/ui/form/dates/hotel-date-time-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, FormActions, useZodForm } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { ChosenDoors, type MasterCard, MasterCardDialog } from "./add-card-page.tsx";
import { clearDraft, readDraft, saveDraft } from "./card-draft.ts";
import { useCardWriting, WritingDialogContent, WritingPanel } from "./writing-panel.tsx";

type OneShotCard = Omit<PrepareOneShotInput, "uid" | "overwrite">;
type SpecialCard = MasterCard | ({ kind: "one_shot" } & OneShotCard);

const MINUTES = ["15", "30", "60", "120", String(MAX_ONE_SHOT_MINUTES)] as const;

const minutesText = (minutes: number): string => formatNumber(minutes, { style: "unit", unit: "minute" });

/** Form for a special card, before a card is on the reader and its number is known. */
const specialCardForm = z
  .object({
    kind: z.enum(SPECIAL_CARD_KINDS),
    note: f.requiredText(100),
    reach: z.enum(["all", "chosen"]),
    roomIds: z.array(f.id),
    doorIds: z.array(f.id),
    groupIds: z.array(f.id),
    zoneIds: z.array(f.id),
    lasting: z.enum(["always", "until"]),
    validTo: f.instant.nullable(),
    roomId: f.id.nullable(),
    uses: z.enum(["once", "often"]),
    minutes: z.enum(MINUTES),
  })
  .superRefine(({ kind, reach, roomIds, doorIds, groupIds, zoneIds, lasting, validTo, roomId }, ctx) => {
    const fail = (path: string, message: string): void => {
      ctx.issues.push({ code: "custom", message, path: [path], input: null });
    };
    if (kind === "one_shot") {
      if (roomId === null) fail("roomId", f.v.required);
      return;
    }
    const doors = roomIds.length + doorIds.length + groupIds.length + zoneIds.length;
    if (reach === "chosen" && doors === 0) fail("roomIds", f.v.required);
    if (lasting === "always") return;
    if (validTo === null) fail("validTo", f.v.required);
    else if (Date.parse(validTo) <= Date.now()) fail("validTo", f.v.endPast);
  })
  .transform(({ kind, note, reach, lasting, validTo, roomId, uses, minutes, ...doors }): SpecialCard => {
    if (kind === "one_shot")
      return { kind, note, roomId: roomId ?? 0, once: uses === "once", minutes: Number(minutes) };
    const allDoors = reach === "all";
    const none = { roomIds: [], doorIds: [], groupIds: [], zoneIds: [] };
    const period = { validFrom: null, validTo: lasting === "always" ? null : validTo };
    return { kind, note, allDoors, ...(allDoors ? none : doors), hours: [], ...period };
  });

type SpecialCardFields = z.input<typeof specialCardForm>;
type SpecialForm = UseFormReturn<SpecialCardFields, unknown, SpecialCard>;

/** Describes a new emergency card, block-out card or card to show a room, and then writes it. */
export function AddSpecialCardPage({ roomId }: { roomId: number | undefined }) {
  const navigate = useNavigate();
  const can = useCan();
  const kinds = SPECIAL_CARD_KINDS.filter((kind) => can(kind === "one_shot" ? "cards.issue" : "cards.master"));
  const [cardToWrite, setCardToWrite] = useState<SpecialCard>();
  const form: SpecialForm = useZodForm(specialCardForm, { defaultValues: initialFields(kinds, roomId) });
  const kind = form.watch("kind");
  if (kinds.length === 0) return <NoPermission />;

  const seesList = can("cards.master");
  const leave = (): void =>
    void (roomId !== undefined
      ? navigate({ to: "/room/$roomId", params: { roomId } })
      : navigate({ to: seesList ? "/center/specialCardList" : "/room" }));

  function onClose(written: boolean): void {
    setCardToWrite(undefined);
    if (!written) return;
    clearDraft();
    leave();
  }

  return (
    <>
      <PageHeader title={t("card.special.add")} description={t(`card.${kind}.opens`)} />
      <Card className="max-w-3xl">
        <CardContent>
          <Form form={form} onSubmit={setCardToWrite} className="gap-5">
            <Field form={form} name="kind" label={t("card.special.kind")} layout="group" required>
              {(control) => (
                <RadioInput
                  {...control}
                  className="grid gap-2"
                  options={kinds.map((value) => ({
                    value,
                    label: t(`locks.cardKind.${value}`),
                    hint: t(`card.${value}.text`),
                  }))}
                />
              )}
            </Field>
            <Field form={form} name="note" label={t("card.note")} hint={t("card.noteHint")} required>
              {(control) => <Input {...control} autoComplete="off" />}
            </Field>
            {kind === "one_shot" ? <OneShotFields form={form} /> : <DoorFields form={form} />}
            <FormActions>
              <Button variant="outline" asChild>
                {roomId !== undefined ? (
                  <Link to="/room/$roomId" params={{ roomId }}>
                    {t("common.cancel")}
                  </Link>
                ) : (
                  <Link to={seesList ? "/center/specialCardList" : "/room"}>{t("common.cancel")}</Link>
                )}
              </Button>
              <ActionButton type="submit">{t("card.toWriting")}</ActionButton>
            </FormActions>
          </Form>
        </CardContent>
      </Card>
      {cardToWrite?.kind === "one_shot" && <OneShotDialog card={cardToWrite} onClose={onClose} />}
      {cardToWrite && cardToWrite.kind !== "one_shot" && <MasterCardDialog card={cardToWrite} onClose={onClose} />}
    </>
  );
}

function initialFields(kinds: readonly SpecialCardFields["kind"][], roomId: number | undefined): SpecialCardFields {
  const { kind, note, allDoors, roomIds, doorIds, groupIds, zoneIds, lasting, validTo } = readDraft();
  const initialKind = roomId === undefined ? kind : "one_shot";
  return {
    kind: kinds.find((value) => value === initialKind) ?? kinds[0] ?? "one_shot",
    note,
    reach: allDoors ? "all" : "chosen",
    ...{ roomIds, doorIds, groupIds, zoneIds },
    ...{ lasting, validTo },
    roomId: roomId ?? null,
    uses: "once",
    minutes: "15",
  };
}

/** Which doors an emergency or block-out card is for, and until when. */
function DoorFields({ form }: { form: SpecialForm }) {
  const navigate = useNavigate();
  const [reach, lasting, doorIds, groupIds, zoneIds] = form.watch([
    "reach",
    "lasting",
    "doorIds",
    "groupIds",
    "zoneIds",
  ]);

  function chooseRooms(): void {
    saveDraft({ ...form.getValues(), allDoors: false });
    void navigate({ to: "/center/selectRoomList" });
  }

  return (
    <>
      <Field form={form} name="reach" label={t("card.doors")} layout="group" required>
        {(control) => (
          <RadioInput
            {...control}
            className="grid gap-2 sm:grid-cols-2"
            options={[
              { value: "all", label: t("card.special.allDoors"), hint: t("card.special.allDoorsHint") },
              { value: "chosen", label: t("card.special.chosenDoors"), hint: t("card.special.chosenDoorsHint") },
            ]}
          />
        )}
      </Field>
      {reach === "chosen" && (
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
        <Field form={form} name="validTo" label={t("card.validTo")} required>
          {(control) => <HotelDateTimeInput {...control} />}
        </Field>
      )}
    </>
  );
}

/** Which vacant room a card shows, and for how long. */
function OneShotFields({ form }: { form: SpecialForm }) {
  const { data } = useQuery(boardQuery);
  const rooms = useMemo(
    () =>
      (data?.rooms ?? [])
        .filter(({ lock, current }) => lock !== null && current === null)
        .map(({ id, name }) => ({ value: id, label: name }))
        .toSorted((a, b) => collator.compare(a.label, b.label)),
    [data],
  );
  return (
    <>
      <Field form={form} name="roomId" label={t("board.room")} hint={t("card.special.vacantOnly")} required>
        {(control) => <Combobox {...control} options={rooms} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="uses" label={t("card.special.uses")} layout="group" required>
          {(control) => (
            <RadioInput
              {...control}
              className="grid gap-2"
              options={[
                { value: "once", label: t("card.special.once") },
                { value: "often", label: t("card.special.often") },
              ]}
            />
          )}
        </Field>
        <Field form={form} name="minutes" label={t("card.special.within")} required>
          {(control) => (
            <SelectInput
              {...control}
              options={MINUTES.map((value) => ({
                value,
                label: minutesText(Number(value)),
              }))}
            />
          )}
        </Field>
      </div>
    </>
  );
}

type OneShotDialogProps = { card: OneShotCard; onClose: (written: boolean) => void };

/** Writes a card to show a room. */
function OneShotDialog({ card, onClose }: OneShotDialogProps) {
  const { timeZone } = useHotel();
  const { data } = useQuery(boardQuery);
  const prepare = useMutation(trpc.cards.prepareOneShot.mutationOptions({ meta: { shownInForm: true } }));
  const { note, roomId, once, minutes } = card;
  const writing = useCardWriting((written) => prepare.mutateAsync({ note, roomId, once, minutes, ...written }));
  const close = (): void => onClose(writing.writtenUids.length > 0);
  const room = data?.rooms.find(({ id }) => id === roomId);
  return (
    <Dialog open onOpenChange={(open) => !open && close()}>
      <WritingDialogContent
        title={t("locks.cardKind.one_shot")}
        description={t("card.one_shot.opens")}
        writing={writing}
        label={writing.writtenUids.length > 0 ? t("card.another") : t("card.write")}
        onClose={close}
      >
        <div className="rounded-lg bg-sunken px-4 py-3">
          <p dir="auto" className="name-run font-medium">
            {note}
          </p>
          {room && <p className="text-sm text-muted-foreground">{t("board.roomNamed", { name: room.name })}</p>}
          <p className="text-sm text-muted-foreground">
            {once ? t("card.special.once") : t("card.special.often")}
            {" · "}
            {prepare.data?.validTo
              ? t("locks.until", { to: formatTime(prepare.data.validTo, timeZone) })
              : minutesText(minutes)}
          </p>
        </div>
        <WritingPanel progress={writing.progress} />
      </WritingDialogContent>
    </Dialog>
  );
}
