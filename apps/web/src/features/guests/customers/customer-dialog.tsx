import { CustomerKind } from "@innkey/shared/enums";
import { type CustomerInput, customerInput, type customerRow } from "@innkey/shared/schemas/stays/customers";
import { useMutation } from "@tanstack/react-query";
import { Building2, User } from "lucide-react";
import type { z } from "zod";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { PhoneInput } from "@/ui/form/text-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";

export type CustomerRow = z.infer<typeof customerRow>;

const ICONS = { person: User, company: Building2 };

/** Creates a customer, or edits the given one. */
export function CustomerDialog({ customer, onClose }: { customer: CustomerRow | null; onClose: () => void }) {
  const form = useZodForm(customerInput, {
    defaultValues: customer
      ? ({
          id: customer.id,
          kind: customer.kind,
          name: customer.name,
          mobile: customer.mobile,
          email: customer.email,
          company: customer.company,
          address: customer.address ?? "",
          taxNumber: customer.taxNumber ?? "",
          note: customer.note,
        } satisfies Required<CustomerInput>)
      : ({
          kind: "person",
          name: "",
          mobile: "",
          email: "",
          company: "",
          address: "",
          taxNumber: "",
          note: "",
        } satisfies Omit<CustomerInput, "id">),
  });
  const kind = form.watch("kind");
  const close = useGuardedClose(form, onClose);
  const save = useMutation(trpc.customers.save.mutationOptions({ meta: { shownInForm: true } }));

  return (
    <FormDialog
      form={form}
      title={customer ? t("customer.edit") : t("customer.create")}
      submitLabel={customer ? t("common.save") : t("customer.create")}
      startAt="name"
      onClose={close}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        toast.success(t("customer.saved", { name: values.name }));
        onClose();
      }}
    >
      <Field form={form} name="kind" label={t("customer.kind")} required layout="group">
        {(control) => (
          <Segmented
            {...control}
            className="w-full sm:w-auto"
            options={CustomerKind.options.map((value) => ({
              value,
              label: t(`customer.kindOf.${value}`),
              icon: ICONS[value],
            }))}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          form={form}
          name="name"
          label={kind === "company" ? t("customer.companyName") : t("customer.name")}
          required
          className={kind === "company" ? "sm:col-span-2" : undefined}
        >
          {(control) => <Input {...control} autoComplete="off" />}
        </Field>
        {kind === "person" && (
          <Field form={form} name="company" label={t("customer.company")}>
            {(control) => <Input {...control} value={control.value ?? ""} autoComplete="off" />}
          </Field>
        )}
        <Field form={form} name="mobile" label={t("customer.mobile")}>
          {(control) => <PhoneInput {...control} value={control.value ?? ""} />}
        </Field>
        <Field form={form} name="email" label={t("customer.email")}>
          {(control) => (
            <Input
              {...control}
              value={control.value ?? ""}
              type="email"
              dir="ltr"
              className="rtl:text-end"
              autoComplete="off"
            />
          )}
        </Field>
      </div>
      <Field form={form} name="address" label={t("customer.address")}>
        {(control) => (
          <Textarea {...control} value={control.value ?? ""} rows={2} className="min-h-15" maxLength={300} />
        )}
      </Field>
      <Field form={form} name="taxNumber" label={t("customer.taxNumber")}>
        {(control) => <Input {...control} value={control.value ?? ""} maxLength={40} autoComplete="off" />}
      </Field>
      <Field form={form} name="note" label={t("customer.note")}>
        {(control) => <Textarea {...control} value={control.value ?? ""} />}
      </Field>
    </FormDialog>
  );
}
