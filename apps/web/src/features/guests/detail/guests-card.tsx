import { addGuestInput, type StayDetail, updateGuestInput } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pencil, UserMinus, UserPlus } from "lucide-react";
import { useState } from "react";
import { GuestFields, isMasked, type MatchingGuest, NO_GUEST } from "@/entities/guest/guest-fields.tsx";
import { useEndWithKeys } from "@/entities/stay/end-with-keys.ts";
import { askAlreadyIn, askAndRepeat } from "@/entities/stay/stay-dialog.tsx";
import { cn } from "@/lib/cn.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatLocalDate } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { CardHeading, Fact } from "@/ui/card-parts.tsx";
import { countryName } from "@/ui/form/countries.ts";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { PersonAvatar } from "@/ui/person-avatar.tsx";
import { Badge } from "@/ui/primitives/badge.tsx";
import { Card } from "@/ui/primitives/card.tsx";

type StayGuest = StayDetail["guests"][number];

/** Adds a guest to the stay. */
function AddGuestDialog({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const stayId = stay.id;
  const form = useZodForm(addGuestInput, { defaultValues: { stayId, guest: NO_GUEST } });
  const close = useGuardedClose(form, onClose);
  const endWithKeys = useEndWithKeys();
  const add = useMutation(trpc.guests.add.mutationOptions({ meta: { shownInForm: true } }));

  function fill({
    name,
    gender,
    nationality,
    birthDate,
    documentType,
    documentNumber,
    mobile,
    email,
  }: MatchingGuest): void {
    const number = isMasked(documentNumber) ? "" : documentNumber;
    form.setValue(
      "guest",
      { name, gender, nationality, birthDate, documentType, documentNumber: number, mobile, email },
      { shouldDirty: true },
    );
  }

  return (
    <FormDialog
      form={form}
      title={t("guest.add")}
      width="lg"
      submitLabel={t("guest.add")}
      onClose={close}
      onSubmit={async (values) => {
        const added = await askAndRepeat(values, (input) => add.mutateAsync(input), {
          guest_already_in: askAlreadyIn,
        });
        if (!added) return;
        const done = t("guest.added", { name: values.guest.name });
        if (stay.state === "checked_in") return endWithKeys(stayId, "guest", done, onClose);
        toast.success(done);
        onClose();
      }}
    >
      <GuestFields form={form} at={(name) => `guest.${name}`} onSelectGuest={fill} />
    </FormDialog>
  );
}

/** Edits a guest. A hidden document number stays unchanged unless a new one is typed. */
function EditGuestDialog({ guest, onClose }: { guest: StayGuest; onClose: () => void }) {
  const { stayGuestId, name, gender, nationality, birthDate, documentType, documentNumber, mobile, email } = guest;
  const isNumberMasked = isMasked(documentNumber);
  const form = useZodForm(updateGuestInput, {
    defaultValues: {
      stayGuestId,
      guest: {
        name,
        gender,
        nationality,
        birthDate,
        documentType,
        documentNumber: isNumberMasked ? null : documentNumber,
        mobile,
        email,
      },
    },
  });
  const close = useGuardedClose(form, onClose);
  const update = useMutation(trpc.guests.update.mutationOptions({ meta: { shownInForm: true } }));

  return (
    <FormDialog
      form={form}
      title={t("guest.edit")}
      width="lg"
      submitLabel={t("common.save")}
      onClose={close}
      onSubmit={async (values) => {
        const keepsNumber = isNumberMasked && !values.guest.documentNumber;
        await update.mutateAsync(
          keepsNumber ? { ...values, guest: { ...values.guest, documentNumber: null } } : values,
        );
        toast.success(t("guest.saved", { name: values.guest.name }));
        onClose();
      }}
    >
      <GuestFields
        form={form}
        at={(field) => `guest.${field}`}
        documentHint={isNumberMasked ? t("guest.keepNumber", { number: documentNumber }) : undefined}
      />
    </FormDialog>
  );
}

export function GuestsCard({ stay, stayGuestId }: { stay: StayDetail; stayGuestId: number }) {
  const canManage = useCan()("stays.manage");
  const [isAdding, setIsAdding] = useState(false);
  const [edited, setEdited] = useState<StayGuest | null>(null);
  const remove = useMutation(trpc.guests.remove.mutationOptions());
  const isOpen = stay.state === "reserved" || stay.state === "checked_in";

  function askToRemove(guest: StayGuest): void {
    void confirm({
      title: t("guest.removeTitle", { name: guest.name }),
      description: t("guest.removeText", { room: stay.room.name }),
      confirmLabel: t("guest.remove"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ stayGuestId: guest.stayGuestId });
        toast.success(t("guest.removed", { name: guest.name }));
      },
    });
  }

  return (
    <Card>
      <CardHeading
        title={t("guest.guests", { count: stay.guests.length })}
        actions={
          canManage &&
          isOpen && (
            <ActionButton size="sm" variant="ghost" onClick={() => setIsAdding(true)}>
              <UserPlus aria-hidden />
              {t("guest.add")}
            </ActionButton>
          )
        }
      />
      <ul className="divide-y border-t">
        {stay.guests.map((guest) => (
          <li
            key={guest.stayGuestId}
            className={cn("px-5 py-4", guest.stayGuestId === stayGuestId && stay.guests.length > 1 && "bg-selected/40")}
          >
            <div className="flex items-center gap-3">
              <PersonAvatar name={guest.name} />
              <p dir="auto" className="name-run min-w-0 flex-1 truncate font-semibold">
                {guest.stayGuestId === stayGuestId ? (
                  guest.name
                ) : (
                  // Each guest has a link and messages of their own.
                  <Link
                    to="/room/thetouristsDetails"
                    search={{ id: guest.stayGuestId }}
                    className="underline decoration-border underline-offset-4 hover:decoration-current"
                  >
                    {guest.name}
                  </Link>
                )}
              </p>
              {guest.primary && stay.guests.length > 1 && <Badge variant="outline">{t("guest.primary")}</Badge>}
              {canManage && (
                <div className="-me-2 flex">
                  <IconButton
                    icon={Pencil}
                    needsServer
                    size="icon-sm"
                    label={t("guest.editNamed", { name: guest.name })}
                    onClick={() => setEdited(guest)}
                  />
                  {isOpen && stay.guests.length > 1 && (
                    <IconButton
                      icon={UserMinus}
                      needsServer
                      size="icon-sm"
                      label={t("guest.removeNamed", { name: guest.name })}
                      onClick={() => askToRemove(guest)}
                    />
                  )}
                </div>
              )}
            </div>
            <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-3 sm:ms-11 sm:grid-cols-3">
              <Fact label={t("guest.gender")}>{guest.gender && t(`guest.genderOf.${guest.gender}`)}</Fact>
              <Fact label={t("guest.nationality")}>{countryName(guest.nationality)}</Fact>
              <Fact label={t("guest.birthDate")}>{formatLocalDate(guest.birthDate)}</Fact>
              <Fact label={guest.documentType ? t(`guest.document.${guest.documentType}`) : t("guest.documentNumber")}>
                {guest.documentNumber && <bdi className="ltr-run">{guest.documentNumber}</bdi>}
              </Fact>
              <Fact label={t("guest.mobile")}>
                {guest.mobile && (
                  <a
                    href={`tel:${guest.mobile}`}
                    className="ltr-run inline-block underline decoration-border underline-offset-4 hover:decoration-current"
                  >
                    {guest.mobile}
                  </a>
                )}
              </Fact>
              <Fact label={t("guest.email")}>
                {guest.email && (
                  <a
                    href={`mailto:${guest.email}`}
                    className="underline decoration-border underline-offset-4 hover:decoration-current"
                  >
                    {guest.email}
                  </a>
                )}
              </Fact>
            </dl>
          </li>
        ))}
      </ul>
      {isAdding && <AddGuestDialog stay={stay} onClose={() => setIsAdding(false)} />}
      {edited && <EditGuestDialog guest={edited} onClose={() => setEdited(null)} />}
    </Card>
  );
}
