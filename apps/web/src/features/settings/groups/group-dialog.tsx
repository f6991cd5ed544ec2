import { groupInput, type groupOutput } from "@innkey/shared/schemas/rooms";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { refreshRooms } from "@/entities/room/board-query.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { NumberInput } from "@/ui/form/number-input.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";

type GroupDialogProps = { group: z.infer<typeof groupOutput> | null; nextSort: number; onClose: () => void };

/** Creates a group, or edits its name and position. */
export function GroupDialog({ group, nextSort, onClose }: GroupDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const save = useMutation(trpc.groups.save.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(groupInput, {
    defaultValues: { id: group?.id, name: group?.name ?? "", sort: group?.sort ?? nextSort },
  });
  return (
    <FormDialog
      form={form}
      width="sm"
      title={group ? t("groups.editTitle") : t("groups.newTitle")}
      submitLabel={t("common.save")}
      onClose={onClose}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        toast.success(t("groups.saved", { name: values.name }));
        await Promise.all([client.invalidateQueries(trpc.groups.list.pathFilter()), refreshRooms(client)]);
        onClose();
      }}
    >
      <Field form={form} name="name" label={t("groups.name")} required>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" autoFocus />}
      </Field>
      <Field form={form} name="sort" label={t("groups.sort")} hint={t("groups.sortHint")} required>
        {(control) => <NumberInput {...control} />}
      </Field>
    </FormDialog>
  );
}
