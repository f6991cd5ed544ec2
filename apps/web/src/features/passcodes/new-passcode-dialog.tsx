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
import { DoorChoice, KeyPeriodFields, oneDayFromNow } from "@/entities/credential/key-fields.tsx";
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
import { CodeDigits, useRetryPasscode } from "./use-passcode-acts.tsx";

/** Number of newest codes among which the created one is searched; other desks rarely create as many meanwhile. */
const MAX_SEARCHED = 50;

/** Shows the status of a new code at its doors until each lock has answered. */
function PasscodeStatus({ passcodeId }: { passcodeId: number }) {
  const { timeZone } = useHotel();
  const can = useCan();
  const canView = can("passcodes.view");
  const retry = useRetryPasscode();
  const { data, isPending } = useQuery(
    trpc.passcodes.list.queryOptions({ state: "live", pageSize: MAX_SEARCHED }, { enabled: canView }),
  );
  const passcode = data?.rows.find(({ id }) => id === passcodeId);
  if (!canView) return null;
  if (!passcode) return isPending ? <Skeleton className="h-16" /> : null;
  const { type, credentials } = passcode;
  const statusText =
    type === "one_time"
      ? t("passcode.readyOnce")
      : credentials.every(isReady)
        ? t("passcode.ready")
        : credentials.some(isUnderWay)
          ? t("passcode.onItsWay")
          : t("passcode.someFailed");
  return (
    <section aria-labelledby="passcode-status">
      <h3 id="passcode-status" className="font-semibold">
        {t("passcode.standing")}
      </h3>
      <p role="status" className="text-pretty text-muted-foreground">
        {statusText}
      </p>
      <p className="mb-2 text-sm text-muted-foreground">
        {type === "one_time" ? t("passcode.untilUsed") : windowText(passcode.validFrom, passcode.validTo, timeZone)}
      </p>
      <DoorsList credentials={credentials} isOneTime={type === "one_time"} />
      {can("locks.retry") && credentials.some(({ state }) => state === "failed") && (
        <ActionButton
          variant="outline"
          size="sm"
          className="mt-2"
          pending={retry.isRetrying}
          onClick={() => void retry.retryPasscode(passcode)}
        >
          <RefreshCw aria-hidden />
          {t("locks.mend.retry_lock")}
        </ActionButton>
      )}
    </section>
  );
}

type CreatedPasscodeProps = {
  created: PasscodeCreated;
  input: CreatePasscodeInput;
  onAnother: () => void;
  onClose: () => void;
};

/** Shows the new door code, to be passed on to the person, and whether its locks have it. */
function CreatedPasscode({ created, input, onAnother, onClose }: CreatedPasscodeProps) {
  const { code, passcodeId, taken: takenRooms } = created;
  return (
    <DialogPanel
      title={t("passcode.codeFor", { person: input.person })}
      description={t(`locks.passcodeType.${input.type}`)}
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
            {t("passcode.tellText")} {input.type === "one_time" && t("passcode.tellOnce")}
          </p>
        </div>
        <PasscodeStatus passcodeId={passcodeId} />
      </div>
    </DialogPanel>
  );
}

/** Form for a new code. Fields that the chosen type doesn't use are dropped. */
const newPasscodeForm = z
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
  .transform(({ ends, ...values }, ctx) => {
    const hasOwnPeriod = values.stayId === null && values.type !== "one_time";
    const hasEnd = hasOwnPeriod && ends === "until";
    const parsed = createPasscodeInput.safeParse({
      ...values,
      code: values.type === "custom" ? values.code : null,
      validFrom: hasOwnPeriod ? values.validFrom : null,
      validTo: hasEnd ? values.validTo : null,
    });
    for (const { path, message } of parsed.error?.issues ?? [])
      ctx.issues.push({ code: "custom", path, message, input: values });
    if (hasEnd && values.validTo === null)
      ctx.issues.push({ code: "custom", path: ["validTo"], message: f.v.required, input: values });
    return parsed.data ?? z.NEVER;
  });

const CODE_LENGTH = 6;

type NewPasscodeFieldsProps = { form: ZodForm<typeof newPasscodeForm>; stay: StayDetail | null };

/**
 * Types of code on offer. A one-time code has no period, so for a reserved stay it would open another guest's room now.
 */
const offeredTypes = (stay: StayDetail | null): readonly PasscodeType[] =>
  PasscodeType.options.filter((type) => type !== "one_time" || stay?.state !== "reserved");

function NewPasscodeFields({ form, stay }: NewPasscodeFieldsProps) {
  const type = form.watch("type");
  return (
    <>
      {stay && <StayFacts stay={stay} />}
      <Field form={form} name="type" label={t("passcode.type")} layout="group" required>
        {(control) => (
          <RadioInput
            {...control}
            options={offeredTypes(stay).map((value) => ({
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

type NewPasscodeDialogProps = { target: PasscodeTarget; onClose: () => void };

/** Creates a code for a stay or for rooms. `target` sets the initial choice. */
export function NewPasscodeDialog({ target, onClose }: NewPasscodeDialogProps) {
  if ("stayId" in target) {
    return (
      <StayDialog stayId={target.stayId} title={t("passcode.newLong")} onClose={onClose}>
        {(stay) => <NewPasscode stay={stay} roomIds={[stay.room.id]} onClose={onClose} />}
      </StayDialog>
    );
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <NewPasscode stay={null} roomIds={target.roomIds} onClose={onClose} />
    </Dialog>
  );
}

type CreatedState = { created: PasscodeCreated; input: CreatePasscodeInput };

function NewPasscode({ stay, roomIds, onClose }: { stay: StayDetail | null; roomIds: number[]; onClose: () => void }) {
  const [result, setResult] = useState<CreatedState | null>(null);
  const defaultValues = {
    type: "air" as const,
    roomIds,
    stayId: stay?.id ?? null,
    person: stay ? guestNameOf(stay) : "",
    note: "",
    code: "",
    ...oneDayFromNow(),
  };
  const form = useZodForm(newPasscodeForm, { defaultValues });
  const close = useGuardedClose(form, onClose);
  const create = useMutation(trpc.passcodes.create.mutationOptions({ meta: { shownInForm: true }, gcTime: 0 }));

  if (result) {
    return (
      <CreatedPasscode
        {...result}
        onClose={onClose}
        onAnother={() => {
          form.reset(defaultValues);
          setResult(null);
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
        setResult({ created: await create.mutateAsync(input), input });
      }}
    >
      <NewPasscodeFields form={form} stay={stay} />
    </FormDialogContent>
  );
}
