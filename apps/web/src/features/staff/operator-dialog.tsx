import { type Capability, GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import { Gender } from "@innkey/shared/enums";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { areasOf } from "@/lib/capability-areas.ts";
import { confirm } from "@/lib/confirm.ts";
import { hotelToday } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel, useMe } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { CheckboxInput, SwitchInput } from "@/ui/form/choice-input.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { countryOptions } from "@/ui/form/countries.ts";
import { DateInput } from "@/ui/form/dates/date-input.tsx";
import { asText, Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PasswordInput } from "@/ui/form/text-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { JOB_CAPABILITIES, JOBS, jobOf } from "./jobs.ts";
import { type GrantValue, type OperatorForm, type OperatorRow, useOperatorForm } from "./operator-form.ts";
import { GrantPeriods, RoomGrants } from "./room-grants.tsx";

/** Creates an administrator or staff member, or edits the given one. */
export function OperatorDialog({ operator, onClose }: { operator: OperatorRow | null; onClose: () => void }) {
  const form = useOperatorForm(operator);
  const close = useGuardedClose(form, onClose);
  const save = useMutation(trpc.staff.save.mutationOptions({ meta: { shownInForm: true } }));
  const [role, capabilities, grants = [], allRooms] = form.watch(["role", "capabilities", "grants", "allRooms"]);
  const grantError = form.formState.errors.grants;
  const setGrants = (next: GrantValue[]): void => form.setValue("grants", next, { shouldDirty: true });
  const me = useMe();
  const isSelf = me.operatorId === operator?.operatorId;

  return (
    <FormDialog
      form={form}
      title={operator ? t("staff.edit") : t("staff.create")}
      width="lg"
      submitLabel={operator ? t("common.save") : t("staff.create")}
      startAt="name"
      onClose={close}
      className="gap-5"
      onSubmit={async (values) => {
        if (values.role === "staff" && !values.allRooms && grants.length === 0 && !(await confirmNoRooms(values.name)))
          return;
        await save.mutateAsync(values);
        toast.success(
          operator ? t("staff.savedDone", { name: values.name }) : t("staff.createdDone", { name: values.name }),
        );
        onClose();
      }}
    >
      <Person form={form} isNew={operator === null} />
      <Field form={form} name="role" label={t("staff.role")} required layout="group">
        {(control) => (
          <RadioInput
            {...control}
            disabled={isSelf}
            className="grid gap-2 sm:grid-cols-2"
            options={[
              { value: "staff", label: t("shell.role.staff"), hint: t("staff.staffHint") },
              { value: "administrator", label: t("shell.role.administrator"), hint: t("staff.administratorHint") },
            ]}
          />
        )}
      </Field>
      <Field
        form={form}
        name="apiKeyAuth"
        label={t("staff.apiKeyAuth")}
        hint={t("staff.apiKeyAuthHint")}
        layout="inline"
      >
        {(control) => <CheckboxInput {...control} value={control.value ?? false} disabled={me.role !== "owner"} />}
      </Field>
      {role === "staff" && (
        <>
          <CapabilityFields
            value={capabilities ?? []}
            onChange={(names) => form.setValue("capabilities", names, { shouldDirty: true })}
          />
          <Field
            form={form}
            name="allRooms"
            label={t("staff.everyRoom")}
            hint={t("staff.everyRoomHint")}
            layout="inline"
          >
            {(control) => <SwitchInput {...control} value={control.value ?? false} />}
          </Field>
          {!allRooms && (
            <>
              <RoomGrants
                value={grants.map(({ roomId }) => roomId)}
                onChange={(ids) =>
                  setGrants(ids.map((roomId) => grants.find((grant) => grant.roomId === roomId) ?? { roomId }))
                }
              />
              <GrantPeriods value={grants} onChange={setGrants} />
            </>
          )}
          {grantError?.message && (
            <p role="alert" className="text-sm text-danger">
              {grantError.message}
            </p>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** Asks before somebody gets no room, because they would see an empty board. */
function confirmNoRooms(name: string): Promise<boolean> {
  return confirm({
    title: t("staff.noRoomsTitle", { name }),
    description: t("staff.noRoomsText"),
    confirmLabel: t("staff.noRoomsSave"),
    cancelLabel: t("staff.noRoomsBack"),
  });
}

function Person({ form, isNew }: { form: OperatorForm; isNew: boolean }) {
  const { timeZone } = useHotel();
  return (
    <div className="grid gap-4 sm:grid-cols-6">
      <Field form={form} name="name" label={t("staff.name")} required className="sm:col-span-6">
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
      <Field
        form={form}
        name="account"
        label={t("staff.account")}
        hint={t("staff.accountHint")}
        required
        className="sm:col-span-3"
      >
        {(control) => (
          <Input
            {...control}
            dir="ltr"
            className="rtl:text-end"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        form={form}
        name="password"
        label={isNew ? t("staff.password") : t("staff.newPassword")}
        hint={isNew ? t("staff.passwordHint") : t("staff.newPasswordHint")}
        required={isNew}
        className="sm:col-span-3"
      >
        {({ onChange, ...control }) => (
          <PasswordInput
            {...control}
            value={control.value ?? ""}
            autoComplete="new-password"
            onChange={(event) => onChange(event.target.value || undefined)}
          />
        )}
      </Field>
      <Field form={form} name="gender" label={t("guest.gender")} quiet className="sm:col-span-2">
        {(control) => (
          <SelectInput
            {...control}
            placeholder={t("guest.notTold")}
            options={Gender.options.map((value) => ({ value, label: t(`guest.genderOf.${value}`) }))}
          />
        )}
      </Field>
      <Field form={form} name="nationality" label={t("guest.nationality")} quiet className="sm:col-span-2">
        {(control) => <Combobox {...control} clearable options={countryOptions()} placeholder={t("guest.notTold")} />}
      </Field>
      <Field form={form} name="birthDate" label={t("guest.birthDate")} quiet className="sm:col-span-2">
        {(control) => <DateInput {...asText(control)} min="1900-01-01" max={hotelToday(timeZone)} />}
      </Field>
    </div>
  );
}

type CapabilityFieldsProps = { value: readonly string[]; onChange: (names: string[]) => void };

/** Checkboxes for the permissions of a staff member, by area. */
function CapabilityFields({ value, onChange }: CapabilityFieldsProps) {
  const id = useId();

  function toggle(name: Capability, on: boolean): void {
    onChange(GRANTABLE_CAPABILITIES.filter((capability) => (capability === name ? on : value.includes(capability))));
  }

  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{t("staff.mayDo")}</legend>
      <fieldset aria-label={t("staff.job")} className="mb-3 flex flex-wrap gap-1.5">
        {JOBS.map((job) => (
          <Button
            key={job}
            variant="outline"
            size="sm"
            aria-pressed={jobOf(value) === job}
            className="aria-pressed:border-brass aria-pressed:bg-brass-soft aria-pressed:text-brass-ink"
            onClick={() => onChange([...JOB_CAPABILITIES[job]])}
          >
            {t(`staff.jobOf.${job}`)}
          </Button>
        ))}
      </fieldset>
      <div className="grid gap-x-8 rounded-md border sm:grid-cols-2">
        {areasOf(GRANTABLE_CAPABILITIES).map(({ area, names }) => (
          <fieldset key={area} aria-label={t(`staff.area.${area}`)} className="px-4 py-3">
            <p className="mb-1.5 text-xs font-medium text-muted-foreground">{t(`staff.area.${area}`)}</p>
            <div className="grid gap-2">
              {names.map((name) => (
                <div key={name} className="flex items-start gap-2.5">
                  <CheckboxInput id={`${id}${name}`} value={value.includes(name)} onChange={(on) => toggle(name, on)} />
                  <label htmlFor={`${id}${name}`}>{t(`staff.capability.${name}`)}</label>
                </div>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}
