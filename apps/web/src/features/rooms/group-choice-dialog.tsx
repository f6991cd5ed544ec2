import { assignGroupInput } from "@innkey/shared/schemas/property/rooms";
import { useMutation, useQuery } from "@tanstack/react-query";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";

/** Moves rooms into a group, or out of their groups. */
export default function GroupChoiceDialog({
  roomIds,
  onClose,
  onDone,
}: {
  roomIds: number[];
  onClose: () => void;
  onDone: () => void;
}) {
  const groups = useQuery(trpc.groups.list.queryOptions());
  const assign = useMutation(trpc.rooms.assignGroup.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(assignGroupInput, { defaultValues: { roomIds, groupId: null } });
  return (
    <FormDialog
      form={form}
      width="sm"
      title={t("groups.moveTitle", { count: roomIds.length })}
      submitLabel={t("groups.move")}
      onClose={onClose}
      onSubmit={async (values) => {
        const { updated } = await assign.mutateAsync(values);
        toast.success(t("groups.moved", { count: updated }));
        onDone();
      }}
    >
      <Field form={form} name="groupId" label={t("groups.one")} quiet hint={t("groups.noneHint")}>
        {(control) => (
          <Combobox
            {...control}
            clearable
            loading={groups.isPending}
            placeholder={t("groups.none")}
            options={(groups.data ?? []).map((group) => ({ value: group.id, label: group.name }))}
          />
        )}
      </Field>
    </FormDialog>
  );
}
