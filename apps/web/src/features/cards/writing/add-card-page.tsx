import * as f from "@innkey/shared/schemas/fields";
import { Link, useNavigate } from "@tanstack/react-router";
import { DoorClosed } from "lucide-react";
import { useState } from "react";
import { z } from "zod";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, FormActions } from "@/ui/form/form.tsx";
import { HotelDateTimeInput } from "@/ui/form/hotel-date-time-input.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { type MasterCard, MasterCardDialog, RoomNames } from "../master-card-dialog.tsx";
import { dropDraft, keepDraft, readDraft } from "./card-draft.ts";

/** Form for a staff or master key card, before a card is on the reader and its number is known. */
const masterCardForm = z
  .object({
    kind: z.enum(["management", "universal"]),
    note: f.requiredText(100),
    roomIds: z.array(f.id),
    lasting: z.enum(["always", "until"]),
    validFrom: f.instant.nullable(),
    validTo: f.instant.nullable(),
  })
  .superRefine(({ kind, roomIds, lasting, validFrom, validTo }, ctx) => {
    const fail = (path: string, message: string): void => {
      ctx.issues.push({ code: "custom", message, path: [path], input: null });
    };
    if (kind === "management" && roomIds.length === 0) fail("roomIds", f.v.required);
    if (lasting === "always") return;
    if (validTo === null) fail("validTo", f.v.required);
    else if (validFrom !== null && validTo <= validFrom) fail("validTo", f.v.endBeforeStart);
    else if (Date.parse(validTo) <= Date.now()) fail("validTo", f.v.endPast);
  })
  .transform(({ lasting, validTo, ...card }) => ({ ...card, validTo: lasting === "always" ? null : validTo }));

const LISTS = { management: "/center/cardList", universal: "/center/universalCardList" } as const;

/** Describes a new staff or master key card (purpose, rooms and period) and then writes it. */
export function AddCardPage({ kind }: { kind: "management" | "universal" }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const allowed = useCan()("cards.master");
  const [described, setDescribed] = useState<MasterCard>();
  const form = useZodForm(masterCardForm, { defaultValues: { ...readDraft(), kind } });
  const [lasting, roomIds] = form.watch(["lasting", "roomIds"]);
  if (!allowed) return <NoPermission />;

  function chooseRooms(): void {
    keepDraft(form.getValues());
    void navigate({ to: "/center/selectRoomList" });
  }

  return (
    <div className="mx-auto max-w-2xl">
      <PageHeader title={t(`card.${kind}.add`)} description={t(`card.${kind}.opens`)} />
      <Card>
        <CardContent className="pt-5">
          <Form form={form} onSubmit={setDescribed} className="gap-5">
            <Field form={form} name="note" label={t("card.note")} hint={t("card.noteHint")} required>
              {(control) => <Input {...control} autoComplete="off" />}
            </Field>
            {kind === "management" && (
              <Field form={form} name="roomIds" label={t("card.rooms")} layout="group" required>
                {({ ref, value, ...control }) => (
                  <div className="flex items-start justify-between gap-4 rounded-md border px-4 py-3">
                    {value.length > 0 ? (
                      <RoomNames roomIds={roomIds} />
                    ) : (
                      <p className="text-sm text-muted-foreground">{t("card.noRooms")}</p>
                    )}
                    <Button
                      variant="outline"
                      ref={ref}
                      size="sm"
                      aria-describedby={control["aria-describedby"]}
                      onClick={chooseRooms}
                    >
                      <DoorClosed aria-hidden />
                      {t("card.chooseRooms")}
                    </Button>
                  </div>
                )}
              </Field>
            )}
            <Field form={form} name="lasting" label={t("card.valid")} layout="group" required>
              {(control) => (
                <RadioInput
                  {...control}
                  className="grid gap-2 sm:grid-cols-2"
                  options={[
                    { value: "always", label: t("card.permanent"), hint: t("card.permanentHint") },
                    { value: "until", label: t("card.untilDate"), hint: t("card.untilDateHint") },
                  ]}
                />
              )}
            </Field>
            {lasting === "until" && (
              <div className="grid gap-4 sm:grid-cols-2">
                <Field form={form} name="validFrom" label={t("card.validFrom")} hint={t("card.validFromHint")}>
                  {(control) => <HotelDateTimeInput {...control} />}
                </Field>
                <Field form={form} name="validTo" label={t("card.validTo")} required>
                  {(control) => <HotelDateTimeInput {...control} />}
                </Field>
              </div>
            )}
            <FormActions>
              <Button variant="outline" asChild>
                <Link to={LISTS[kind]}>{t("common.cancel")}</Link>
              </Button>
              <ActionButton type="submit">{t("card.toWriting")}</ActionButton>
            </FormActions>
          </Form>
        </CardContent>
      </Card>
      {described && (
        <MasterCardDialog
          card={described}
          onClose={(written) => {
            setDescribed(undefined);
            if (!written) return;
            dropDraft();
            void navigate({ to: LISTS[kind] });
          }}
        />
      )}
    </div>
  );
}
