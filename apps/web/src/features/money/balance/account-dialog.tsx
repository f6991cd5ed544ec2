import { setAccountInput } from "@innkey/shared/schemas/folio/balance";
import { WITHDRAWAL_ACCOUNT_TYPES } from "@innkey/shared/words";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import type { Account } from "./destination.ts";

/**
 * Edits the account for withdrawals. Of an existing number only the last digits are known here, so it is typed again or
 * left unchanged.
 */
export function AccountDialog({ account, onClose }: { account: Account | null; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useZodForm(setAccountInput, {
    defaultValues: {
      type: account?.type ?? "bank",
      name: account?.name ?? "",
      bank: account?.bank ?? "",
      number: account ? null : "",
    },
  });
  const type = form.watch("type");
  const save = useMutation(trpc.balance.setAccount.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("balance.account")}
      description={t("balance.accountText")}
      submitLabel={t("common.save")}
      startAt="name"
      onClose={onClose}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        toast.success(t("balance.accountSaved"));
        onClose();
      }}
    >
      <Field form={form} name="type" label={t("balance.type")} required>
        {(control) => (
          <SelectInput
            {...control}
            options={WITHDRAWAL_ACCOUNT_TYPES.map((value) => ({ value, label: t(`balance.typeOf.${value}`) }))}
          />
        )}
      </Field>
      <Field form={form} name="name" label={t("balance.holder")} required>
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
      {type === "bank" && (
        <Field form={form} name="bank" label={t("balance.bank")}>
          {(control) => <Input {...control} value={control.value ?? ""} autoComplete="off" />}
        </Field>
      )}
      <Field
        form={form}
        name="number"
        label={t("balance.number")}
        required={!account}
        hint={account ? t("balance.numberKept", { end: account.numberEnd }) : undefined}
      >
        {({ onChange, ...control }) => (
          <Input
            {...control}
            value={control.value ?? ""}
            onChange={(event) => onChange(account && event.target.value === "" ? null : event.target.value)}
            dir="ltr"
            className="rtl:text-end"
            autoComplete="off"
          />
        )}
      </Field>
    </FormDialog>
  );
}
