import type { roomInput } from "@innkey/shared/schemas/rooms";
import { MacInput } from "@/entities/lock/mac-input.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { Field } from "@/ui/form/field.tsx";
import type { ZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Switch } from "@/ui/primitives/switch.tsx";

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
