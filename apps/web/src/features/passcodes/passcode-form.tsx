import { PasscodeType } from "@innkey/shared/enums";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import * as f from "@innkey/shared/schemas/fields";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useState } from "react";
import { z } from "zod";
import { editedHours, HoursInput } from "@/entities/credential/hours-input.tsx";
import { DoorChoice, KeyPeriodFields, oneDayFromNow } from "@/entities/credential/key-fields.tsx";
import { guestNameOf, StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Disclosure } from "@/ui/disclosure.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import type { ZodForm } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { CODE_ENDS, codeEndsAt, isDayOver } from "./code-end.ts";

const RECIPIENTS = ["guest", "other"] as const;

/** Form for a new code. Fields that the choices don't use are dropped. */
export const newPasscodeForm = z
  .object({
    /** the guest of the stay, or somebody else, such as a plumber */
    recipient: z.enum(RECIPIENTS),
    type: PasscodeType,
    roomIds: z.array(z.number()),
    stayId: z.number().nullable(),
    person: z.string(),
    note: z.string(),
    code: z.string(),
    end: z.enum(CODE_ENDS),
    ends: z.enum(["until", "permanent"]),
    validFrom: z.string().nullable(),
    validTo: z.string().nullable(),
    hours: editedHours,
    timeZone: z.string(),
  })
  .transform(({ recipient, end, ends, timeZone, ...values }, ctx) => {
    const stayId = recipient === "guest" ? values.stayId : null;
    const hasOwnPeriod = stayId === null && values.type !== "one_time";
    const isChosen = hasOwnPeriod && end === "date";
    const chosenEnd = ends === "until" ? values.validTo : null;
    const parsed = createPasscodeInput.safeParse({
      ...values,
      stayId,
      code: values.type === "custom" ? values.code : null,
      validFrom: isChosen ? values.validFrom : null,
      hours: isChosen ? values.hours : [],
      validTo: isChosen ? chosenEnd : hasOwnPeriod ? codeEndsAt(end, Date.now(), timeZone) : null,
    });
    for (const { path, message } of parsed.error?.issues ?? [])
      ctx.issues.push({ code: "custom", path, message, input: values });
    if (isChosen && ends === "until" && values.validTo === null)
      ctx.issues.push({ code: "custom", path: ["validTo"], message: f.v.required, input: values });
    return parsed.data ?? z.NEVER;
  });

type PasscodeForm = ZodForm<typeof newPasscodeForm>;

/** Returns the form for a stay's guest, or for somebody who gets into these rooms. */
export function newPasscodeValues(
  stay: StayDetail | null,
  roomIds: number[],
  timeZone: string,
): z.input<typeof newPasscodeForm> {
  return {
    recipient: stay ? "guest" : "other",
    type: "air",
    roomIds,
    stayId: stay?.id ?? null,
    person: stay ? guestNameOf(stay) : "",
    note: "",
    code: "",
    end: "twoHours",
    hours: [],
    timeZone,
    ...oneDayFromNow(),
  };
}

type NewPasscodeFieldsProps = {
  form: PasscodeForm;
  /** The stay in the room; its guest may get the code. */
  stay: StayDetail | null;
  /** The code is for the doors with which the dialog was opened. */
  hasRooms: boolean;
};

export function NewPasscodeFields({ form, stay, hasRooms }: NewPasscodeFieldsProps) {
  const [recipient, type] = form.watch(["recipient", "type"]);
  const ofStay = stay !== null && recipient === "guest";

  function choose(next: (typeof RECIPIENTS)[number]): void {
    form.setValue("recipient", next);
    form.setValue("person", next === "guest" && stay ? guestNameOf(stay) : "");
    form.clearErrors();
    form.setFocus("person");
  }

  return (
    <>
      {stay && (
        <Field form={form} name="recipient" label={t("passcode.recipient")} layout="group" required>
          {(control) => (
            <Segmented
              {...control}
              className="flex"
              onChange={choose}
              options={RECIPIENTS.map((value) => ({ value, label: t(`passcode.recipients.${value}`) }))}
            />
          )}
        </Field>
      )}
      {stay && ofStay && <StayFacts stay={stay} />}
      <Field form={form} name="person" label={t("passcode.person")} hint={t("passcode.personHint")} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={120} dir="auto" />}
      </Field>
      {!stay && !hasRooms && <RoomsField form={form} />}
      {type === "one_time" ? (
        <Told>{t("passcode.onceText")}</Told>
      ) : ofStay ? (
        <Told>{t("passcode.stayText")}</Told>
      ) : (
        <EndFields form={form} />
      )}
      <MoreFields form={form} ofReservation={ofStay && stay.state === "reserved"}>
        {!stay && hasRooms && <RoomsField form={form} />}
      </MoreFields>
    </>
  );
}

function Told({ children }: { children: string }) {
  return <p className="rounded-md bg-sunken px-4 py-3 text-pretty text-muted-foreground">{children}</p>;
}

function RoomsField({ form }: { form: PasscodeForm }) {
  const isSingle = form.watch("type") === "one_time";
  return (
    <Field form={form} name="roomIds" label={t("passcode.rooms")} required>
      {(control) => <DoorChoice {...control} single={isSingle} />}
    </Field>
  );
}

/** How long the code works: usual ends, or a chosen period. */
function EndFields({ form }: { form: PasscodeForm }) {
  const { timeZone } = useHotel();
  const [now] = useState(() => Date.now());
  const end = form.watch("end");
  const today = codeEndsAt("today", now, timeZone);
  const labels = {
    hour: t("passcode.end.hour"),
    twoHours: t("passcode.end.twoHours"),
    today: today && t("passcode.end.today", { time: formatTime(today, timeZone) }),
    tomorrow: t("passcode.end.tomorrow"),
    date: t("passcode.end.date"),
  };
  return (
    <>
      <Field form={form} name="end" label={t("passcode.howLong")} layout="group" required>
        {(control) => (
          <Segmented
            {...control}
            className="flex h-auto flex-wrap lg:h-auto [&>button]:h-9 lg:[&>button]:h-8"
            options={CODE_ENDS.filter((value) => value !== "today" || !isDayOver(now, timeZone)).map((value) => ({
              value,
              label: labels[value],
            }))}
          />
        )}
      </Field>
      {end === "date" && (
        <>
          <KeyPeriodFields form={form} />
          <Field form={form} name="hours" label={t("card.hours.title")} hint={t("card.hours.hint")} layout="group">
            {(control) => <HoursInput {...control} />}
          </Field>
        </>
      )}
    </>
  );
}

const CODE_LENGTH = 6;

type MoreFieldsProps = {
  form: PasscodeForm;
  /** A one-time code has no period, so for a reserved stay it would open another guest's room now. */
  ofReservation: boolean;
  children: React.ReactNode;
};

/** What hardly anybody changes: the kind of code, its doors and a note. */
function MoreFields({ form, ofReservation, children }: MoreFieldsProps) {
  const type = form.watch("type");
  return (
    <Disclosure label={t("passcode.more")}>
      {children}
      <Field form={form} name="type" label={t("passcode.type")} layout="group" required>
        {(control) => (
          <RadioInput
            {...control}
            options={PasscodeType.options
              .filter((value) => value !== "one_time" || !ofReservation)
              .map((value) => ({
                value,
                label: t(`locks.passcodeType.${value}`),
                hint: t(`locks.passcodeTypeHint.${value}`),
              }))}
          />
        )}
      </Field>
      {type === "custom" && (
        <Field form={form} name="code" label={t("passcode.code")} hint={t("passcode.codeHint")} required>
          {({ onChange, ...control }) => (
            <Input
              {...control}
              dir="ltr"
              inputMode="numeric"
              autoComplete="off"
              maxLength={CODE_LENGTH}
              placeholder="······"
              className="max-w-48 font-mono tracking-[0.25em] rtl:text-end"
              onChange={(event) => onChange(event.target.value.replace(/\D/g, ""))}
            />
          )}
        </Field>
      )}
      <Field form={form} name="note" label={t("passcode.note")}>
        {(control) => <Input {...control} autoComplete="off" maxLength={200} dir="auto" />}
      </Field>
    </Disclosure>
  );
}
