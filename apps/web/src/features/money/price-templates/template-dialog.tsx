import { text, v } from "@innkey/shared/schemas/fields";
import type { PricesInput } from "@innkey/shared/schemas/rooms";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useGuardedClose } from "@/ui/form/use-guarded-close.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { PriceFields, pricesForm, startPrices } from "../prices/price-fields.tsx";

const templateForm = pricesForm.extend({
  name: text(60)
    .optional()
    .refine((name) => Boolean(name), v.required),
});

type TemplateDialogProps = {
  /** Initial values. Without an id, a new template is created. */
  template: { id?: number; name: string; prices: PricesInput | null; roomCount: number };
  onClose: () => void;
};

/** Creates a template, edits one, or creates one from another. */
export function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const save = useMutation(trpc.priceTemplates.save.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(templateForm, {
    defaultValues: { name: template.name, prices: startPrices(template.prices) },
  });
  const close = useGuardedClose(form, onClose);
  return (
    <FormDialog
      form={form}
      width="lg"
      title={template.id === undefined ? t("priceTemplates.createTitle") : t("priceTemplates.editTitle")}
      submitLabel={t("common.save")}
      startAt="name"
      onClose={close}
      onSubmit={async ({ name = "", prices }) => {
        await save.mutateAsync({ id: template.id, name, prices });
        toast.success(t("priceTemplates.saved", { name }));
        await client.invalidateQueries(trpc.priceTemplates.pathFilter());
        onClose();
      }}
    >
      <Field form={form} name="name" label={t("priceTemplates.name")} required>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" />}
      </Field>
      <PriceFields form={form} />
      {template.roomCount > 0 && (
        <Alert tone="info" title={t("priceTemplates.keepNote", { count: template.roomCount })} />
      )}
    </FormDialog>
  );
}
