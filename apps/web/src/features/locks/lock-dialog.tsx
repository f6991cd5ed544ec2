import { LockDriver } from "@innkey/shared/enums";
import { type LockRow, lockInput } from "@innkey/shared/schemas/access/locks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { MacInput } from "@/ui/form/text-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";

/** Registers a lock, or edits the given one. */
export function LockDialog({ lock, onClose }: { lock: LockRow | null; onClose: () => void }) {
  const { data: board } = useQuery(boardQuery);
  const form = useZodForm(lockInput, {
    defaultValues: lock
      ? {
          id: lock.id,
          mac: lock.mac,
          bluetoothName: lock.bluetoothName,
          driver: lock.driver,
          address: lock.address,
          roomId: lock.roomId,
        }
      : { mac: "", bluetoothName: "", driver: "mqtt", address: "", roomId: null },
  });
  const close = useGuardedClose(form, onClose);
  const driver = form.watch("driver") ?? "mqtt";
  const save = useMutation(trpc.locks.save.mutationOptions({ meta: { shownInForm: true } }));
  const rooms = useMemo(
    () =>
      (board?.rooms ?? []).map((room) => ({
        value: room.id,
        label: room.name,
        detail: room.lock && room.lock.id !== lock?.id ? t("locks.form.hasLock") : room.remarkName,
        keywords: [room.remarkName],
      })),
    [board, lock],
  );

  return (
    <FormDialog
      form={form}
      title={lock ? t("locks.form.edit") : t("locks.add")}
      description={lock ? undefined : t("locks.form.text")}
      submitLabel={lock ? t("common.save") : t("locks.add")}
      startAt="mac"
      onClose={close}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        toast.success(t("locks.saved", { mac: values.mac }));
        onClose();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="mac" label={t("room.mac")} hint={t("locks.form.macHint")} required>
          {(control) => <MacInput {...control} />}
        </Field>
        <Field form={form} name="bluetoothName" label={t("room.bluetoothName")}>
          {(control) => <Input {...control} autoComplete="off" maxLength={60} />}
        </Field>
      </div>
      <Field form={form} name="driver" label={t("locks.form.driver")} layout="group" required>
        {(control) => (
          <RadioInput
            {...control}
            className="grid gap-2"
            options={LockDriver.options.map((value) => ({
              value,
              label: t(`locks.driver.${value}`),
              hint: t(`locks.form.driverHint.${value}`),
            }))}
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
      <Field form={form} name="roomId" label={t("board.room")} hint={t("locks.form.roomHint")}>
        {(control) => (
          <Combobox
            {...control}
            clearable
            options={rooms}
            placeholder={(lock?.doorId && lock.roomName) || t("locks.noRoom")}
          />
        )}
      </Field>
    </FormDialog>
  );
}
