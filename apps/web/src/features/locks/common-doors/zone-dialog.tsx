import { DoorKind } from "@innkey/shared/enums";
import { type ZoneRow, zoneInput } from "@innkey/shared/schemas/access/zones";
import { useMutation, useQuery } from "@tanstack/react-query";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { CheckList } from "@/ui/form/check-list.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";

/** Makes a zone, or edits the given one. */
export function ZoneDialog({ zone, onClose }: { zone: ZoneRow | null; onClose: () => void }) {
  const { data: doors } = useQuery(trpc.doors.list.queryOptions());
  const { data: groups } = useQuery(trpc.groups.list.queryOptions());
  const form = useZodForm(zoneInput, {
    defaultValues: {
      id: zone?.id,
      name: zone?.name ?? "",
      kind: zone?.kind ?? "entrance",
      everyGuest: zone?.everyGuest ?? false,
      isExtra: zone?.isExtra ?? false,
      groupIds: zone?.groups.map(({ id }) => id) ?? [],
      doorIds: zone?.doors.map(({ id }) => id) ?? [],
    },
  });
  const close = useGuardedClose(form, onClose);
  const save = useMutation(trpc.zones.save.mutationOptions({ meta: { shownInForm: true } }));
  const everyGuest = form.watch("everyGuest") ?? false;
  return (
    <FormDialog
      form={form}
      title={zone ? t("zones.edit") : t("zones.add")}
      submitLabel={t("common.save")}
      onClose={close}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        toast.success(t("commonDoors.saved", { name: values.name }));
        onClose();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
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
      </div>
      <Field form={form} name="doorIds" label={t("zones.doors")} layout="group">
        {({ value, onChange }) => (
          <CheckList options={doors ?? []} value={value ?? []} onChange={onChange} none={t("commonDoors.none")} />
        )}
      </Field>
      <Field form={form} name="everyGuest" label={t("zones.everyGuest")} layout="inline">
        {(control) => <CheckboxInput {...control} />}
      </Field>
      {!everyGuest && (
        <Field form={form} name="groupIds" label={t("zones.groups")} layout="group">
          {({ value, onChange }) => (
            <CheckList options={groups ?? []} value={value ?? []} onChange={onChange} none={t("groups.empty")} />
          )}
        </Field>
      )}
      <Field form={form} name="isExtra" label={t("zones.isExtra")} hint={t("zones.isExtraHint")} layout="inline">
        {(control) => <CheckboxInput {...control} />}
      </Field>
    </FormDialog>
  );
}
