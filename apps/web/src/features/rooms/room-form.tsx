import { type RoomDetail, roomInput } from "@innkey/shared/schemas/property/rooms";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Archive, Rows3 } from "lucide-react";
import { confirm } from "@/lib/confirm.ts";
import { formatDateTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { SwitchInput } from "@/ui/form/choice-input.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, FormActions, useLeaveGuard, useZodForm, type ZodForm } from "@/ui/form/form.tsx";
import { PictureField } from "@/ui/form/picture-parts.tsx";
import { MacInput, NumberInput } from "@/ui/form/text-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";

type RoomFormProps = { room?: RoomDetail; onCancel?: () => void; onSaved: (roomId: number) => void };

/** Edits all data of a room, or of a new one without `room`, except its prices and status. */
export function RoomForm({ room, onCancel, onSaved }: RoomFormProps) {
  const groups = useQuery(trpc.groups.list.queryOptions());
  const save = useMutation(trpc.rooms.save.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(roomInput, {
    defaultValues: {
      id: room?.id,
      name: room?.name ?? "",
      groupId: room?.groupId ?? null,
      remarkName: room?.remarkName ?? "",
      description: room?.description ?? "",
      bulletin: room?.bulletin ?? "",
      notice: room?.notice ?? "",
      floor: room?.floor ?? 0,
      sort: room?.sort ?? 0,
      pictureFileId: room?.pictureFileId ?? null,
      lock: room?.lock ? { mac: room.lock.mac, bluetoothName: room.lock.bluetoothName } : null,
    },
  });
  useLeaveGuard(room !== undefined && form.formState.isDirty);

  return (
    <Form
      form={form}
      className="gap-5"
      onSubmit={async (values) => {
        const { roomId } = await save.mutateAsync(values);
        toast.success(t("room.saved", { name: values.name }));
        form.reset(form.getValues());
        onSaved(roomId);
      }}
    >
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Field form={form} name="name" label={t("room.name")} required>
          {(control) => <Input {...control} autoComplete="off" maxLength={60} />}
        </Field>
        <Field form={form} name="groupId" label={t("groups.one")}>
          {(control) => (
            <Combobox
              {...control}
              clearable
              loading={groups.isPending}
              placeholder={t("groups.none")}
              options={(groups.data ?? []).map((group) => ({ value: group.id, label: group.name }))}
            />
          )}
        </Field>
        <Field form={form} name="remarkName" label={t("room.remarkName")} hint={t("room.remarkHint")}>
          {(control) => <Input {...control} autoComplete="off" maxLength={60} />}
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field form={form} name="floor" label={t("room.floor")} quiet>
            {(control) => <NumberInput {...control} />}
          </Field>
          <Field form={form} name="sort" label={t("room.sort")} quiet hint={t("room.sortHint")}>
            {(control) => <NumberInput {...control} />}
          </Field>
        </div>
        <Field form={form} name="description" label={t("room.description")} className="sm:col-span-2">
          {(control) => <Textarea {...control} maxLength={1000} />}
        </Field>
        <Field form={form} name="bulletin" label={t("room.bulletin")} hint={t("room.bulletinHint")}>
          {(control) => <Textarea {...control} maxLength={200} />}
        </Field>
        <Field form={form} name="notice" label={t("room.notice")} hint={t("room.noticeHint")}>
          {(control) => <Textarea {...control} maxLength={500} />}
        </Field>
      </div>
      <Field form={form} name="pictureFileId" label={t("room.picture")}>
        {(control) => <PictureField {...control} kind="room" alt={t("room.pictureAlt")} hint={t("room.pictureHint")} />}
      </Field>
      <RoomLockFields form={form} />
      <FormActions>
        {onCancel && (
          <Button variant="outline" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
        )}
        <ActionButton type="submit" pending={form.formState.isSubmitting} disabled={room && !form.formState.isDirty}>
          {room ? t("common.save") : t("room.create")}
        </ActionButton>
      </FormActions>
    </Form>
  );
}

/** Fields for the room's lock, if it has one. Removing the lock from the room keeps the lock's records. */
function RoomLockFields({ form }: { form: ZodForm<typeof roomInput> }) {
  const lock = form.watch("lock");
  return (
    <fieldset className="rounded-lg border p-4">
      <div className="flex items-center gap-3">
        <SwitchInput
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

/** Creates a room, then opens its prices, because a room without prices can't be booked. */
export default function CreateRoomDialog({ onSeries, onClose }: { onSeries: () => void; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel width="lg" title={t("room.newTitle")} description={t("room.newText")} startsAtField>
        <Button variant="outline" size="sm" className="mb-4" onClick={onSeries}>
          <Rows3 aria-hidden />
          {t("room.severalAtOnce")}
        </Button>
        <RoomForm
          onCancel={onClose}
          onSaved={(roomId) => {
            onClose();
            void navigate({ to: "/room/$roomId", params: { roomId: roomId }, search: { tab: "prices" } });
          }}
        />
      </DialogPanel>
    </Dialog>
  );
}

export function RoomSettings({ room }: { room: RoomDetail }) {
  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[1fr_22rem]">
      <Card>
        <CardContent>
          <RoomForm room={room} onSaved={() => undefined} />
        </CardContent>
      </Card>
      <div className="grid grid-cols-1 gap-5">
        {room.lock && <LockFacts lock={room.lock} />}
        <Card>
          <CardHeading title={t("room.deleteTitle")} description={t("room.deleteText")} />
          <CardContent>
            <DeleteRoomButton room={room} />
          </CardContent>
        </Card>
      </div>
    </div>
  );
}

function LockFacts({ lock }: { lock: NonNullable<RoomDetail["lock"]> }) {
  const { timeZone } = useHotel();
  const facts = [
    [t("room.mac"), lock.mac],
    [t("room.bluetoothName"), lock.bluetoothName || "–"],
    [t("room.driver"), t(`locks.driver.${lock.driver}`)],
    [t("room.firmware"), lock.firmware || "–"],
    [t("room.lastSeen"), lock.lastSeenAt ? formatDateTime(lock.lastSeenAt, timeZone) : t("room.neverSeen")],
  ] as const;
  return (
    <Card>
      <CardHeading title={t("room.lock")} />
      <CardContent>
        <dl className="grid gap-2">
          {facts.map(([name, value]) => (
            <div key={name} className="flex items-baseline justify-between gap-4">
              <dt className="text-muted-foreground">{name}</dt>
              <dd className="min-w-0 truncate">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </CardContent>
    </Card>
  );
}

function DeleteRoomButton({ room }: { room: RoomDetail }) {
  const navigate = useNavigate();
  const deletion = useMutation(trpc.rooms.delete.mutationOptions());

  async function askToDelete(): Promise<void> {
    const confirmed = await confirm({
      title: t("room.deleteAsk", { name: room.name }),
      description: t("room.deleteText"),
      confirmLabel: t("room.delete"),
      tone: "danger",
      action: () => deletion.mutateAsync({ roomId: room.id }),
    });
    if (!confirmed) return;
    toast.success(t("room.deleted", { name: room.name }));
    await navigate({ to: "/room" });
  }

  return (
    <ActionButton variant="ghost-destructive" onClick={() => void askToDelete()}>
      <Archive aria-hidden />
      {t("room.delete")}
    </ActionButton>
  );
}
