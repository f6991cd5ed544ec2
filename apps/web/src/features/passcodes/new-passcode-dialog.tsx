import { PasscodeType } from "@innkey/shared/enums";
import {
  type CreatePasscodeInput,
  createPasscodeInput,
  type PasscodeCreated,
} from "@innkey/shared/schemas/access/passcodes";
import * as f from "@innkey/shared/schemas/fields";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Copy, Plus, RefreshCw } from "lucide-react";
import { useState } from "react";
import { z } from "zod";
import { DoorsList, isReady, isUnderWay } from "@/entities/credential/credential-state.tsx";
import { aDay, DoorChoice, KeyPeriodFields } from "@/entities/credential/key-fields.tsx";
import { windowText } from "@/entities/lock/lock-labels.ts";
import type { PasscodeTarget } from "@/entities/stay/stay-actions.tsx";
import { guestNameOf, StayDialog, StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { copyText } from "@/lib/browser/copy-text.ts";
import { formatList } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useGuardedClose, useZodForm, type ZodForm } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { CodeDigits, useTryAgain } from "./use-passcode-acts.tsx";

/** Number of newest codes to search for the one just created. Other desks would have to create as many meanwhile. */
const AMONG = 50;

/** Shows the status of a new code at its doors until each lock has answered. */
function CodeStatus({ passcodeId }: { passcodeId: number }) {
  const { timeZone } = useHotel();
  const can = useCan();
  const may = can("passcodes.view");
  const again = useTryAgain();
  const { data, isPending } = useQuery(
    trpc.passcodes.list.queryOptions({ state: "live", pageSize: AMONG }, { enabled: may }),
  );
  const passcode = data?.rows.find(({ id }) => id === passcodeId);
  if (!may) return null;
  if (!passcode) return isPending ? <Skeleton className="h-16" /> : null;
  const { type, credentials } = passcode;
  const words =
    type === "one_time"
      ? t("passcode.readyOnce")
      : credentials.every(isReady)
        ? t("passcode.ready")
        : credentials.some(isUnderWay)
          ? t("passcode.onItsWay")
          : t("passcode.someFailed");
  return (
    <section aria-labelledby="code-standing">
      <h3 id="code-standing" className="font-semibold">
        {t("passcode.standing")}
      </h3>
      <p role="status" className="text-pretty text-muted-foreground">
        {words}
      </p>
      <p className="mb-2 text-sm text-muted-foreground">
        {type === "one_time" ? t("passcode.untilUsed") : windowText(passcode.validFrom, passcode.validTo, timeZone)}
      </p>
      <DoorsList credentials={credentials} once={type === "one_time"} />
      {can("locks.retry") && credentials.some(({ state }) => state === "failed") && (
        <ActionButton
          variant="outline"
          size="sm"
          className="mt-2"
          pending={again.trying}
          onClick={() => void again.tryAgain(passcode)}
        >
          <RefreshCw aria-hidden />
          {t("locks.mend.retry_lock")}
        </ActionButton>
      )}
    </section>
  );
}

type CodeAnswerProps = {
  created: PasscodeCreated;
  asked: CreatePasscodeInput;
  onAnother: () => void;
  onClose: () => void;
};

/** Shows the new door code, to be passed on to the person, and whether its locks have it. */
function CodeAnswer({ created, asked, onAnother, onClose }: CodeAnswerProps) {
  const { code, passcodeId, taken: takenRooms } = created;
  return (
    <DialogPanel
      title={t("passcode.codeFor", { person: asked.person })}
      description={t(`locks.passcodeType.${asked.type}`)}
      footer={
        <>
          <Button variant="outline" onClick={onAnother}>
            <Plus aria-hidden />
            {t("passcode.another")}
          </Button>
          <ActionButton needsServer={false} onClick={onClose}>
            {t("passcode.done")}
          </ActionButton>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <div className="grid justify-items-center gap-4 rounded-lg bg-sunken px-4 py-6">
          <CodeDigits code={code} />
          <Button variant="outline" size="sm" onClick={() => void copyText(code)}>
            <Copy aria-hidden />
            {t("passcode.copy")}
          </Button>
        </div>
        {takenRooms.length > 0 && (
          <Callout tone="warning" title={t("passcode.takenAt", { rooms: formatList(takenRooms) })}>
            {t("passcode.takenText")}
          </Callout>
        )}
        <div>
          <h3 className="font-semibold">{t("passcode.tell")}</h3>
          <p className="text-pretty text-muted-foreground">
            {t("passcode.tellText")} {asked.type === "one_time" && t("passcode.tellOnce")}
          </p>
        </div>
        <CodeStatus passcodeId={passcodeId} />
      </div>
    </DialogPanel>
  );
}

/** Form for a new code. Fields that the chosen type doesn't use are dropped. */
const newCodeForm = z
  .object({
    type: PasscodeType,
    roomIds: z.array(z.number()),
    stayId: z.number().nullable(),
    person: z.string(),
    note: z.string(),
    code: z.string(),
    ends: z.enum(["until", "permanent"]),
    validFrom: z.string().nullable(),
    validTo: z.string().nullable(),
  })
  .transform(({ ends, ...typed }, ctx) => {
    const ownPeriod = typed.stayId === null && typed.type !== "one_time";
    const until = ownPeriod && ends === "until";
    const parsed = createPasscodeInput.safeParse({
      ...typed,
      code: typed.type === "custom" ? typed.code : null,
      validFrom: ownPeriod ? typed.validFrom : null,
      validTo: until ? typed.validTo : null,
    });
    for (const { path, message } of parsed.error?.issues ?? [])
      ctx.issues.push({ code: "custom", path, message, input: typed });
    if (until && typed.validTo === null)
      ctx.issues.push({ code: "custom", path: ["validTo"], message: f.v.required, input: typed });
    return parsed.data ?? z.NEVER;
  });

const DIGITS = 6;

type NewCodeFieldsProps = { form: ZodForm<typeof newCodeForm>; stay: StayDetail | null };

/**
 * Types of code on offer. A one-time code has no period, so for a reserved stay it would open another guest's room now.
 */
const offered = (stay: StayDetail | null): readonly PasscodeType[] =>
  PasscodeType.options.filter((type) => type !== "one_time" || stay?.state !== "reserved");

function NewCodeFields({ form, stay }: NewCodeFieldsProps) {
  const type = form.watch("type");
  return (
    <>
      {stay && <StayFacts stay={stay} />}
      <Field form={form} name="type" label={t("passcode.type")} layout="group" required>
        {(control) => (
          <RadioInput
            {...control}
            options={offered(stay).map((value) => ({
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
              maxLength={DIGITS}
              placeholder="······"
              className="max-w-48 font-mono tracking-[0.25em] rtl:text-end"
              onChange={(event) => onChange(event.target.value.replace(/\D/g, ""))}
            />
          )}
        </Field>
      )}
      <Field form={form} name="person" label={t("passcode.person")} hint={t("passcode.personHint")} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={120} dir="auto" />}
      </Field>
      {!stay && (
        <Field form={form} name="roomIds" label={t("passcode.rooms")} required>
          {(control) => <DoorChoice {...control} single={type === "one_time"} />}
        </Field>
      )}
      {type === "one_time" ? (
        <p className="rounded-md bg-sunken px-4 py-3 text-pretty text-muted-foreground">{t("passcode.onceText")}</p>
      ) : stay ? (
        <p className="rounded-md bg-sunken px-4 py-3 text-pretty text-muted-foreground">{t("passcode.stayText")}</p>
      ) : (
        <KeyPeriodFields form={form} />
      )}
      <Field form={form} name="note" label={t("passcode.note")}>
        {(control) => <Input {...control} autoComplete="off" maxLength={200} dir="auto" />}
      </Field>
    </>
  );
}

type NewPasscodeDialogProps = { of: PasscodeTarget; onClose: () => void };

/** Creates a code for a stay or for rooms. `of` sets the initial choice. */
export function NewPasscodeDialog({ of, onClose }: NewPasscodeDialogProps) {
  if ("stayId" in of) {
    return (
      <StayDialog stayId={of.stayId} title={t("passcode.newLong")} onClose={onClose}>
        {(stay) => <NewCode stay={stay} roomIds={[stay.room.id]} onClose={onClose} />}
      </StayDialog>
    );
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <NewCode stay={null} roomIds={of.roomIds} onClose={onClose} />
    </Dialog>
  );
}

type Done = { created: PasscodeCreated; asked: CreatePasscodeInput };

function NewCode({ stay, roomIds, onClose }: { stay: StayDetail | null; roomIds: number[]; onClose: () => void }) {
  const [done, setDone] = useState<Done | null>(null);
  const defaultValues = {
    type: "air" as const,
    roomIds,
    stayId: stay?.id ?? null,
    person: stay ? guestNameOf(stay) : "",
    note: "",
    code: "",
    ...aDay(),
  };
  const form = useZodForm(newCodeForm, { defaultValues });
  const close = useGuardedClose(form, onClose);
  const create = useMutation(trpc.passcodes.create.mutationOptions({ meta: { shownInForm: true }, gcTime: 0 }));

  if (done) {
    return (
      <CodeAnswer
        {...done}
        onClose={onClose}
        onAnother={() => {
          form.reset(defaultValues);
          setDone(null);
        }}
      />
    );
  }
  return (
    <FormDialogContent
      form={form}
      title={t("passcode.newLong")}
      submitLabel={t("passcode.create")}
      startAt={stay || roomIds.length === 0 ? undefined : "person"}
      onClose={close}
      onSubmit={async (input) => {
        setDone({ created: await create.mutateAsync(input), asked: input });
      }}
    >
      <NewCodeFields form={form} stay={stay} />
    </FormDialogContent>
  );
}
