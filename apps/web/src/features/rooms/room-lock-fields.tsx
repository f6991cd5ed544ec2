import type { roomInput } from "@innkey/shared/schemas/rooms";
import { Field } from "@/components/form/field.tsx";
import type { ZodForm } from "@/components/form/use-zod-form.ts";
import { Input } from "@/components/ui/input.tsx";
import { Label } from "@/components/ui/label.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import { MacInput } from "@/features/locks/mac-input.tsx";
import { useTranslation } from "@/lib/i18n.ts";

/** The door's lock, if the room has one. Taking it off the room keeps what the lock has recorded. */
export function RoomLockFields({ form }: { form: ZodForm<typeof roomInput> }) {
  const { t } = useTranslation();
  const lock = form.watch("lock");
  return (
    <fieldset className="rounded-lg border p-4">
      <div className="flex items-center gap-3">
        <Switch
          id="room-has-lock"
          value={Boolean(lock)}
          onChange={(has) => form.setValue("lock", has ? { mac: "", bluetoothName: "" } : null, { shouldDirty: true })}
        />
        <Label htmlFor="room-has-lock" className="text-base">
          {t("room.hasLock")}
        </Label>
      </div>
      {lock && (
        <div className="mt-4 grid gap-4 sm:grid-cols-2">
          <Field form={form} name="lock.mac" label={t("room.mac")} required>
            {(control) => <MacInput {...control} />}
          </Field>
          <Field form={form} name="lock.bluetoothName" label={t("room.bluetoothName")}>
            {(control) => <Input {...control} autoComplete="off" maxLength={60} />}
          </Field>
        </div>
      )}
    </fieldset>
  );
}
