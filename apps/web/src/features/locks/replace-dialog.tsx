import { LockDriver } from "@innkey/shared/enums";
import {
  type LockReplaced,
  type LockReplacement,
  type LockRow,
  replaceLockInput,
} from "@innkey/shared/schemas/access/locks";
import { mac as macSchema } from "@innkey/shared/schemas/property/rooms";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FieldFrame } from "@/ui/form/field-frame.tsx";
import { FormDialog, useGuardedClose, useZodForm, type ZodForm } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { MacInput } from "@/ui/form/text-input.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { LockAccessFacts } from "./links/broker-access.tsx";

type Transfer = Omit<LockReplacement, "spares" | "blockedOutAt">;
type ReplaceDialogProps = { lock: LockRow; onClose: () => void };

/** Replaces the lock of a door: asks for the new lock, says what goes over, and then shows what to do next. */
export function ReplaceDialog({ lock, onClose }: ReplaceDialogProps) {
  const replace = useMutation(trpc.locks.replace.mutationOptions({ meta: { shownInForm: true } }));
  // The former lock has no door any more once it was replaced.
  const [name] = useState(lock.roomName ?? lock.mac);
  if (replace.data) return <ReplacedDialog name={name} replaced={replace.data} onClose={onClose} />;
  return <NewLockForm lock={lock} name={name} replace={replace.mutateAsync} onClose={onClose} />;
}

type NewLockFormProps = ReplaceDialogProps & {
  name: string;
  replace: (input: (typeof replaceLockInput)["_output"]) => Promise<LockReplaced>;
};

function NewLockForm({ lock, name, replace, onClose }: NewLockFormProps) {
  const form = useZodForm(replaceLockInput, {
    // The menu that opened the dialog takes the focus for a moment as it closes, which isn't leaving the field.
    mode: "onSubmit",
    defaultValues: {
      lockId: lock.id,
      mac: "",
      bluetoothName: "",
      driver: lock.driver,
      address: lock.driver === "zigbee2mqtt" ? lock.address : "",
      isOffDoor: false,
      blockedOutAt: null,
    },
  });
  const close = useGuardedClose(form, onClose);
  const spareId = useId();
  const [mac = "", chosenDriver = "mqtt"] = form.watch(["mac", "driver"]);
  const spares = useQuery(trpc.locks.replacement.queryOptions({ lockId: lock.id })).data?.spares ?? [];
  const spare = spares.find((one) => one.mac === macSchema.safeParse(mac).data);
  const driver = spare?.driver ?? chosenDriver;
  const { data: transfer, refetch } = useQuery(trpc.locks.replacement.queryOptions({ lockId: lock.id, driver }));
  const blockedOutAt = transfer?.blockedOutAt ?? null;

  async function submit(input: (typeof replaceLockInput)["_output"]): Promise<void> {
    try {
      await replace(input);
    } catch (error) {
      // The door may have been blocked, or the block lifted, since the dialog was read.
      await refetch();
      throw error;
    }
  }

  return (
    <FormDialog
      form={form}
      width="md"
      title={t("locks.replace.title", { name })}
      description={t("locks.replace.text")}
      submitLabel={t("locks.replace.act")}
      startAt="mac"
      onClose={close}
      onSubmit={submit}
    >
      {spares.length > 0 && (
        <FieldFrame
          id={spareId}
          message={undefined}
          label={t("locks.replace.spare")}
          hint={t("locks.replace.spareHint")}
        >
          <Combobox
            id={spareId}
            clearable
            value={spare?.lockId ?? null}
            onChange={(lockId) => {
              const next = spares.find((one) => one.lockId === lockId)?.mac ?? "";
              form.setValue("mac", next, { shouldDirty: true, shouldValidate: next !== "" });
            }}
            options={spares.map((one) => ({
              value: one.lockId,
              label: one.mac,
              detail: one.online ? t("locks.online") : t("locks.offline"),
            }))}
            placeholder={t("locks.replace.noSpare")}
          />
        </FieldFrame>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="mac" label={t("locks.replace.mac")} hint={t("locks.form.macHint")} required>
          {(control) => (
            <MacInput
              {...control}
              onKeyDown={(event) => {
                // A scanner ends its input with Enter, which must not replace the lock before anybody has read what happens.
                if (event.key !== "Enter") return;
                event.preventDefault();
                form.setFocus("isOffDoor");
              }}
            />
          )}
        </Field>
        {!spare && (
          <Field form={form} name="bluetoothName" label={t("room.bluetoothName")}>
            {(control) => <Input {...control} autoComplete="off" maxLength={60} />}
          </Field>
        )}
      </div>
      {!spare && <ConnectionFields form={form} driver={driver} />}
      <Field
        form={form}
        name="isOffDoor"
        label={t("locks.replace.offDoor")}
        hint={t("locks.replace.offDoorHint")}
        layout="inline"
      >
        {(control) => <CheckboxInput {...control} />}
      </Field>
      {blockedOutAt !== null && <EndOfBlockOut form={form} blockedOutAt={blockedOutAt} />}
      {transfer && <TransferFacts transfer={transfer} />}
    </FormDialog>
  );
}

type EndOfBlockOutProps = { form: ZodForm<typeof replaceLockInput>; blockedOutAt: string };

/** Has the end of this block-out confirmed. A later one has to be confirmed again. */
function EndOfBlockOut({ form, blockedOutAt }: EndOfBlockOutProps) {
  const { timeZone } = useHotel();
  return (
    <Callout tone="warning" title={t("blockOut.title", { when: formatDateTime(blockedOutAt, timeZone) })}>
      <p className="mb-3 text-pretty">{t("locks.replace.endsBlockOut")}</p>
      <Field form={form} name="blockedOutAt" label={t("locks.replace.endBlockOut")} layout="inline" required>
        {({ value, onChange, ...control }) => (
          <CheckboxInput
            {...control}
            value={value === blockedOutAt}
            onChange={(isTicked) => onChange(isTicked ? blockedOutAt : null)}
          />
        )}
      </Field>
    </Callout>
  );
}

function ConnectionFields({ form, driver }: { form: ZodForm<typeof replaceLockInput>; driver: LockRow["driver"] }) {
  return (
    <>
      <Field form={form} name="driver" label={t("locks.form.driver")} layout="group" required>
        {(control) => (
          <RadioInput
            {...control}
            className="grid gap-2"
            options={LockDriver.options.map((value) => ({ value, label: t(`locks.driver.${value}`) }))}
          />
        )}
      </Field>
      {driver !== "mqtt" && (
        <Field
          form={form}
          name="address"
          label={t(`locks.form.address.${driver}`)}
          hint={t(`locks.form.addressHint.${driver}`)}
          required
        >
          {(control) => <Input {...control} dir="ltr" autoComplete="off" spellCheck={false} className="rtl:text-end" />}
        </Field>
      )}
    </>
  );
}

/** Says what goes over to the new lock, what has to be encoded again, and what can't go over. */
function TransferFacts({ transfer }: { transfer: Transfer }) {
  const { passcodes, faces, cards, rewrite, left } = transfer;
  const counts = [
    [t("locks.replace.passcodes"), passcodes],
    [t("locks.replace.faces"), faces],
    [t("locks.replace.cards"), cards],
  ] as const;
  return (
    <div className="grid gap-3 text-sm">
      <Facts title={t("locks.replace.goesOver")}>
        <dl className="grid gap-1 px-3 py-2">
          {counts.map(([label, count]) => (
            <div key={label} className="flex justify-between gap-4">
              <dt className="text-muted-foreground">{label}</dt>
              <dd className="tabular-nums">{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
      </Facts>
      {rewrite.length > 0 && (
        <Facts title={t("locks.replace.rewrite")} text={t("locks.replace.rewriteText")}>
          <ul className="max-h-40 divide-y overflow-y-auto">
            {rewrite.map(({ cardId, label, stayGuestId, guestName }) => (
              <li key={cardId} className="flex flex-wrap justify-between gap-x-4 px-3 py-2">
                {stayGuestId === null ? (
                  <span>{guestName || "–"}</span>
                ) : (
                  <Link
                    to="/room/thetouristsDetails"
                    search={{ id: stayGuestId }}
                    dir="auto"
                    className="name-run min-w-0 truncate text-brass-ink hover:underline"
                  >
                    {guestName || "–"}
                  </Link>
                )}
                <bdi dir="ltr" className="font-mono">
                  {label}
                </bdi>
              </li>
            ))}
          </ul>
        </Facts>
      )}
      {left.length > 0 && (
        <Facts title={t("locks.replace.left")}>
          <ul className="max-h-40 divide-y overflow-y-auto">
            {left.map(({ key, kind, label, reason }) => (
              <li key={key} className="px-3 py-2">
                <p className="font-medium">
                  {t(`locks.kind.${kind}`)} <bdi>{label}</bdi>
                </p>
                <p className="text-pretty text-muted-foreground">{t(`locks.replace.reason.${reason}`)}</p>
              </li>
            ))}
          </ul>
        </Facts>
      )}
    </div>
  );
}

function Facts({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h3 className="font-medium">{title}</h3>
      {text && <p className="mb-1.5 text-pretty text-muted-foreground">{text}</p>}
      <div className="mt-1.5 rounded-lg border bg-sunken">{children}</div>
    </section>
  );
}

type ReplacedDialogProps = { name: string; replaced: LockReplaced; onClose: () => void };

function ReplacedDialog({ name, replaced, onClose }: ReplacedDialogProps) {
  const navigate = useNavigate();
  const { lockId, access } = replaced;

  function finish(): void {
    onClose();
    void navigate({ to: "/locks/$lockId", params: { lockId } });
  }

  return (
    <Dialog open onOpenChange={(open) => !open && finish()}>
      <DialogPanel
        width="md"
        title={t("locks.replace.doneTitle", { name })}
        description={access ? t("locks.replace.doneConnect") : t("locks.replace.done")}
        footer={
          <ActionButton needsServer={false} onClick={finish}>
            {access ? t("locks.connect.done") : t("locks.replace.toNew")}
          </ActionButton>
        }
      >
        <div className="grid grid-cols-1 gap-4">
          {access && <LockAccessFacts access={access} />}
          {!access && <Callout tone="success" title={t("locks.replace.waits")} />}
          <TransferFacts transfer={replaced} />
        </div>
      </DialogPanel>
    </Dialog>
  );
}
