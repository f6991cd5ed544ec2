import { setupInput } from "@innkey/shared/schemas/identity/auth";
import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { language, t } from "@/lib/i18n.ts";
import type { Me } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, useZodForm } from "@/ui/form/form.tsx";
import { PasswordInput } from "@/ui/form/text-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { currencyOfZone } from "./currency-of-zone.ts";
import { browserZone, currencyOptions, zoneOptions } from "./places.ts";

export function SetupForm({ onCreated }: { onCreated: (owner: Me) => Promise<void> }) {
  const zones = useMemo(() => zoneOptions(), []);
  const currencies = useMemo(currencyOptions, []);
  const create = useMutation(trpc.setup.create.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(setupInput, {
    defaultValues: {
      hotel: { name: "", timeZone: browserZone, currency: currencyOfZone(browserZone), language: language.code },
      owner: { name: "", account: "", password: "" },
    },
  });

  return (
    <Form
      form={form}
      className="gap-6"
      onSubmit={async (values) => {
        await onCreated(await create.mutateAsync(values));
      }}
    >
      <fieldset className="grid gap-4">
        <legend className="mb-4 w-full border-b pb-2 text-lg font-semibold">{t("setup.hotel")}</legend>
        <Field form={form} name="hotel.name" label={t("setup.hotelName")} required>
          {(control) => <Input {...control} autoComplete="organization" autoFocus />}
        </Field>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field form={form} name="hotel.timeZone" label={t("setup.timeZone")} hint={t("setup.timeZoneHint")} required>
            {({ onChange, ...control }) => (
              <Combobox
                {...control}
                options={zones}
                onChange={(zone) => {
                  // A currency that was chosen by hand stays.
                  const isGuess = form.getValues("hotel.currency") === currencyOfZone(control.value);
                  onChange(zone);
                  if (isGuess) form.setValue("hotel.currency", currencyOfZone(zone ?? ""));
                }}
              />
            )}
          </Field>
          <Field form={form} name="hotel.currency" label={t("setup.currency")} hint={t("setup.currencyHint")} required>
            {(control) => <Combobox {...control} options={currencies} />}
          </Field>
        </div>
      </fieldset>
      <fieldset className="grid gap-4">
        <legend className="mb-4 w-full border-b pb-2 text-lg font-semibold">{t("setup.owner")}</legend>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field form={form} name="owner.name" label={t("setup.ownerName")} required>
            {(control) => <Input {...control} autoComplete="name" />}
          </Field>
          <Field
            form={form}
            name="owner.account"
            label={t("setup.ownerAccount")}
            hint={t("setup.ownerAccountHint")}
            required
          >
            {(control) => (
              <Input {...control} autoComplete="username" autoCapitalize="off" spellCheck={false} dir="auto" />
            )}
          </Field>
        </div>
        <Field form={form} name="owner.password" label={t("setup.password")} hint={t("auth.passwordHint")} required>
          {(control) => <PasswordInput {...control} autoComplete="new-password" />}
        </Field>
      </fieldset>
      <ActionButton type="submit" size="lg" pending={form.formState.isSubmitting} className="w-full">
        {t("setup.create")}
      </ActionButton>
    </Form>
  );
}
