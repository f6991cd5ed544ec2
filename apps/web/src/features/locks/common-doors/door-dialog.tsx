import { DoorKind } from "@innkey/shared/enums";
import { type DoorRow, doorInput } from "@innkey/shared/schemas/access/doors";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";

/** Makes a common door, or edits the given one. */
export function DoorDialog({ door, onClose }: { door: DoorRow | null; onClose: () => void }) {
  const { data: locks } = useQuery(trpc.locks.list.queryOptions());
  const form = useZodForm(doorInput, {
    defaultValues: {
      id: door?.id,
      name: door?.name ?? "",
      kind: door?.kind ?? "entrance",
      lockId: door?.lock?.id ?? null,
    },
  });
  const close = useGuardedClose(form, onClose);
  const save = useMutation(trpc.doors.save.mutationOptions({ meta: { shownInForm: true } }));
  const options = useMemo(
    () =>
      (locks ?? [])
        .filter((lock) => lock.roomId === null && (lock.doorId === null || lock.doorId === door?.id))
        .map((lock) => ({
          value: lock.id,
          label: lock.mac,
          detail: lock.bluetoothName,
          keywords: [lock.bluetoothName],
        })),
    [locks, door],
  );
  return (
    <FormDialog
      form={form}
      width="sm"
      title={door ? t("commonDoors.edit") : t("commonDoors.add")}
      submitLabel={t("common.save")}
      onClose={close}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        toast.success(t("commonDoors.saved", { name: values.name }));
        onClose();
      }}
    >
      <Field form={form} name="name" label={t("commonDoors.name")} required>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" autoFocus />}
      </Field>
      <Field form={form} name="kind" label={t("commonDoors.kind")} required>
        {(control) => (
          <SelectInput
            {...control}
            options={DoorKind.options.map((value) => ({ value, label: t(`commonDoors.kinds.${value}`) }))}
          />
        )}
      </Field>
      <Field form={form} name="lockId" label={t("commonDoors.lock")} hint={t("commonDoors.lockHint")}>
        {(control) => <Combobox {...control} clearable options={options} placeholder={t("commonDoors.noLock")} />}
      </Field>
    </FormDialog>
  );
}
