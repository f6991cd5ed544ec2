import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { FORGOTTEN } from "@innkey/shared/words";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, Eraser } from "lucide-react";
import { useMemo, useState } from "react";
import { z } from "zod";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Input } from "@/ui/primitives/input.tsx";

type PersonActsProps = {
  guestId: number;
  name: string;
  /** True while the guest is staying here or expected; such a guest can't be erased. */
  blocked: boolean;
  erased: boolean;
};

/** Lets staff export a guest's data or erase it. */
export function PersonActs({ guestId, name, blocked, erased }: PersonActsProps) {
  const [isErasing, setIsErasing] = useState(false);
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <ActionButton variant="outline" asChild>
          <a href={`/api/privacy/guests/${guestId}`} download>
            <Download aria-hidden />
            {t("privacy.export")}
          </a>
        </ActionButton>
        {!erased && (
          <ActionButton variant="ghost-destructive" disabled={blocked} onClick={() => setIsErasing(true)}>
            <Eraser aria-hidden />
            {t("privacy.erase")}
          </ActionButton>
        )}
      </div>
      <p className="text-sm text-pretty text-muted-foreground">{t("privacy.exportText")}</p>
      {blocked && !erased && <p className="text-sm text-muted-foreground">{t("privacy.eraseBlocked")}</p>}
      {isErasing && <EraseDialog guestId={guestId} name={name} onClose={() => setIsErasing(false)} />}
    </div>
  );
}

type EraseDialogProps = { guestId: number; name: string; onClose: () => void };

/** Asks the staff member to type the guest's name, so that no guest is erased by accident. */
function EraseDialog({ guestId, name, onClose }: EraseDialogProps) {
  const nameForm = useMemo(
    () => z.object({ name: z.string().refine((text) => isSameName(text, name), "validation.otherName") }),
    [name],
  );
  const form = useZodForm(nameForm, { defaultValues: { name: "" } });
  const erase = useMutation(trpc.privacy.erase.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("privacy.eraseTitle", { name })}
      tone="danger"
      submitLabel={t("privacy.erase")}
      startAt="name"
      onClose={onClose}
      onSubmit={async () => {
        await erase.mutateAsync({ guestId });
        toast.success(t("privacy.erased"));
        onClose();
      }}
    >
      <Callout tone="warning" title={t("privacy.eraseText")} />
      <Field form={form} name="name" label={t("privacy.typeName", { name })} required>
        {(control) => <Input {...control} autoComplete="off" spellCheck={false} />}
      </Field>
    </FormDialog>
  );
}

const normalizeName = (text: string): string => text.normalize("NFC").trim().replace(/\s+/gu, " ").toLocaleLowerCase();
const isSameName = (a: string, b: string): boolean => normalizeName(a) === normalizeName(b);

/** Privacy actions for one guest, shown on the guest's page. */
export function GuestPrivacy({ stay, stayGuestId }: { stay: StayDetail; stayGuestId: number }) {
  const guest = stay.guests.find((stayGuest) => stayGuest.stayGuestId === stayGuestId);
  if (!guest) return null;
  const isOpen = stay.state === "reserved" || stay.state === "checked_in";
  return (
    <Card>
      <CardHeading
        title={t("nav.privacy")}
        actions={
          <Button asChild size="sm" variant="ghost">
            <Link to="/privacy" search={{ person: guest.guestId }}>
              {t("privacy.kept")}
            </Link>
          </Button>
        }
      />
      <CardContent>
        <PersonActs guestId={guest.guestId} name={guest.name} blocked={isOpen} erased={guest.name === FORGOTTEN} />
      </CardContent>
    </Card>
  );
}
