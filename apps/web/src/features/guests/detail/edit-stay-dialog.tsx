import { type StayDetail, updateStayInput } from "@innkey/shared/schemas/stays";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { Field } from "@/components/form/field.tsx";
import { Form } from "@/components/form/form.tsx";
import { useZodForm } from "@/components/form/use-zod-form.ts";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { CustomerCombobox } from "../../customers/customer-combobox.tsx";
import { refreshEverything } from "../../stays/refresh.ts";

/** What may change about a stay without touching its time, room or money. */
export function EditStayDialog({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const formId = useId();
  const { id: stayId, breakfast, otherInformation, idCardMatch, customer } = stay;
  const form = useZodForm(updateStayInput, {
    defaultValues: { stayId, breakfast, otherInformation, idCardMatch, customerId: customer?.id ?? null },
  });
  const update = useMutation(trpc.stays.update.mutationOptions({ meta: { shownInForm: true } }));

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t("guest.editStay")}
        width="sm"
        footer={
          <>
            <Button onClick={onClose}>{t("common.cancel")}</Button>
            <Button type="submit" form={formId} variant="primary" pending={form.formState.isSubmitting}>
              {t("common.save")}
            </Button>
          </>
        }
      >
        <Form
          form={form}
          id={formId}
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
        </Form>
      </DialogContent>
    </Dialog>
  );
}
