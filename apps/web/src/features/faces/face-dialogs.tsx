import { type FaceRow, faceNoteInput } from "@innkey/shared/schemas/access/faces";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { DoorChoice, KeyPeriodFields, oneDayFromNow } from "@/entities/credential/key-fields.tsx";
import { StayDialog, StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { useDebounced } from "@/lib/time/timers.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Field, type FieldControl } from "@/ui/form/field.tsx";
import { FormDialog, FormDialogContent, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { EnrolFields, enrolForm, grantForm } from "./enrol-fields.tsx";

export function RenameDialog({ face, onClose }: { face: FaceRow; onClose: () => void }) {
  const form = useZodForm(faceNoteInput, { defaultValues: { faceId: face.id, note: face.note } });
  const rename = useMutation(trpc.faces.rename.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      width="sm"
      title={t("face.rename")}
      submitLabel={t("common.save")}
      startAt="note"
      onClose={onClose}
      onSubmit={async (values) => {
        await rename.mutateAsync(values);
        toast.success(t("face.saved", { note: values.note }));
        onClose();
      }}
    >
      <Field form={form} name="note" label={t("face.note")} hint={t("face.noteHint")} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={100} dir="auto" />}
      </Field>
    </FormDialog>
  );
}

type GrantDialogProps = { face: Pick<FaceRow, "id" | "note">; onClose: () => void };

/** Chooses the doors that a face opens, and the period. */
export function GrantDialog({ face, onClose }: GrantDialogProps) {
  const form = useZodForm(grantForm, { defaultValues: { faceId: face.id, roomIds: [], ...oneDayFromNow() } });
  const close = useGuardedClose(form, onClose);
  const grant = useMutation(trpc.faces.grant.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("face.grantTitle", { note: face.note })}
      description={t("face.grantText")}
      submitLabel={t("face.grant")}
      onClose={close}
      onSubmit={async (values) => {
        await grant.mutateAsync(values);
        toast.success(t("face.granted", { note: face.note }));
        onClose();
      }}
    >
      <Field form={form} name="roomIds" label={t("passcode.rooms")} required>
        {(control) => <DoorChoice {...control} />}
      </Field>
      <KeyPeriodFields form={form} />
    </FormDialog>
  );
}

/** Enrols a person's face with their consent. Doors are granted afterwards. */
export function EnrolDialog({ onClose }: { onClose: (faceId?: number) => void }) {
  const seesGuests = useCan()("stays.view");
  const form = useZodForm(enrolForm, { defaultValues: { fileId: "", note: "", guestId: null, consent: false } });
  const close = useGuardedClose(form, onClose);
  const enrol = useMutation(trpc.faces.enrol.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("face.add")}
      submitLabel={t("face.save")}
      onClose={close}
      onSubmit={async (values) => {
        const { faceId } = await enrol.mutateAsync(values);
        toast.success(t("face.saved", { note: values.note }));
        onClose(faceId);
      }}
    >
      <EnrolFields form={form}>
        {seesGuests && (
          <Field form={form} name="guestId" label={t("face.guest")}>
            {(control) => <GuestCombobox {...control} value={control.value ?? null} />}
          </Field>
        )}
      </EnrolFields>
    </FormDialog>
  );
}

type GuestOption = { guestId: number; name: string };

const MIN_SEARCH_LENGTH = 2;

/** Finds a present or former guest by name, phone or document number. */
function GuestCombobox({ onChange, ...control }: FieldControl<number | null>) {
  const [searchText, setSearchText] = useState("");
  const [selectedGuest, setSelectedGuest] = useState<GuestOption | null>(null);
  const query = useDebounced(searchText.trim());
  const { data, isLoading, isPlaceholderData } = useQuery(
    trpc.guests.search.queryOptions(
      { query: query.slice(0, 80) },
      { enabled: query.length >= MIN_SEARCH_LENGTH, placeholderData: keepPreviousData },
    ),
  );
  const guests = data ?? [];
  const chosenOutsideResults =
    selectedGuest && !guests.some(({ guestId }) => guestId === selectedGuest.guestId) ? [selectedGuest] : [];
  return (
    <Combobox
      {...control}
      clearable
      onSearch={setSearchText}
      loading={isLoading || isPlaceholderData || query !== searchText.trim()}
      placeholder={t("face.noGuest")}
      searchPlaceholder={t("face.searchGuest")}
      options={[
        ...chosenOutsideResults.map(({ guestId, name }) => ({ value: guestId, label: name })),
        ...guests.map(({ guestId, name, mobile }) => ({ value: guestId, label: name, detail: mobile })),
      ]}
      onChange={(guestId) => {
        setSelectedGuest(
          guests.find((guest) => guest.guestId === guestId) ?? (guestId === null ? null : selectedGuest),
        );
        onChange(guestId);
      }}
    />
  );
}

/** Enrols a guest's face and grants it access to the stay's door in one step. */
export function StayFaceDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  return (
    <StayDialog stayId={stayId} title={t("face.add")} onClose={onClose}>
      {(stay) => <StayFace stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function StayFace({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const primaryGuest = stay.guests.find(({ primary }) => primary) ?? stay.guests[0];
  const form = useZodForm(enrolForm, {
    defaultValues: {
      fileId: "",
      note: primaryGuest?.name ?? "",
      guestId: primaryGuest?.guestId ?? null,
      consent: false,
    },
  });
  const close = useGuardedClose(form, onClose);
  const meta = { shownInForm: true };
  const enrol = useMutation(trpc.faces.enrol.mutationOptions({ meta }));
  const grant = useMutation(trpc.faces.grant.mutationOptions({ meta }));
  /** Face enrolled before the grant failed; a second attempt reuses it. */
  const enrolledFace = useRef<{ fileId: string; faceId: number }>(null);

  return (
    <FormDialogContent
      form={form}
      title={t("face.add")}
      description={t("face.checkInText", { room: stay.room.name })}
      submitLabel={t("face.saveAndGrant")}
      onClose={close}
      onSubmit={async (values) => {
        const { fileId, note } = values;
        if (enrolledFace.current?.fileId !== fileId) {
          const { faceId } = await enrol.mutateAsync(values);
          enrolledFace.current = { fileId, faceId };
        }
        await grant.mutateAsync({ faceId: enrolledFace.current.faceId, stayId: stay.id });
        toast.success(t("face.granted", { note }));
        onClose();
      }}
    >
      <StayFacts stay={stay} />
      <EnrolFields form={form}>
        {stay.guests.length > 1 && (
          <Field form={form} name="guestId" label={t("face.guest")} required>
            {({ onChange, ...control }) => (
              <Combobox
                {...control}
                options={stay.guests.map(({ guestId, name }) => ({ value: guestId, label: name }))}
                onChange={(guestId) => {
                  onChange(guestId);
                  const guest = stay.guests.find((stayGuest) => stayGuest.guestId === guestId);
                  if (guest) form.setValue("note", guest.name, { shouldDirty: true });
                }}
              />
            )}
          </Field>
        )}
      </EnrolFields>
    </FormDialogContent>
  );
}
