import { type StayDetail, updateStayInput } from "@innkey/shared/schemas/stays";
import { useMutation } from "@tanstack/react-query";
import { CustomerCombobox } from "@/entities/customer/customer-combobox.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Checkbox } from "@/ui/primitives/checkbox.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";

/** Edits the details of a stay, but not its period, room or money. */
export function EditStayDialog({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const { id: stayId, breakfast, otherInformation, idCardMatch, customer } = stay;
  const form = useZodForm(updateStayInput, {
    defaultValues: { stayId, breakfast, otherInformation, idCardMatch, customerId: customer?.id ?? null },
  });
  const update = useMutation(trpc.stays.update.mutationOptions({ meta: { shownInForm: true } }));

  return (
    <FormDialog
      form={form}
      title={t("guest.editStay")}
      width="sm"
      submitLabel={t("common.save")}
      onClose={onClose}
      onSubmit={async (values) => {
        await update.mutateAsync(values);
        refreshEverything();
        toast.success(t("guest.staySaved"));
        onClose();
      }}
    >
      <Field form={form} name="breakfast" label={t("stay.breakfast")} layout="inline">
        {(control) => <Checkbox {...control} />}
      </Field>
      <Field
        form={form}
        name="idCardMatch"
        label={t("stay.idCardMatch")}
        hint={t("stay.idCardMatchHint")}
        layout="inline"
      >
        {(control) => <Checkbox {...control} />}
      </Field>
      {can("customers.view") && (
        <Field form={form} name="customerId" label={t("stay.customer")}>
          {(control) => <CustomerCombobox {...control} value={control.value ?? null} current={customer} />}
        </Field>
      )}
      <Field form={form} name="otherInformation" label={t("stay.otherInformation")}>
        {(control) => <Textarea {...control} value={control.value ?? ""} />}
      </Field>
    </FormDialog>
  );
}
