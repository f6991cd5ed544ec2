import { type HotelNoticeResult, hotelNoticeInput, NOTICE_REFUSALS } from "@innkey/shared/schemas/notices";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { boardQuery, refreshRooms } from "@/entities/room/board-query.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatList } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { Form } from "@/ui/form/form.tsx";
import { FormActions } from "@/ui/form/form-actions.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";
import { NoticeStates } from "./notice-states.tsx";
import { NoticeTo } from "./notice-to.tsx";

const LONGEST = 200;

/** Sends one text to the displays of many locks, and shows the result for each. */
export function NoticesPanel() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const board = useQuery(boardQuery);
  const [answer, setAnswer] = useState<HotelNoticeResult | null>(null);
  const send = useMutation(trpc.hotel.sendNotice.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(hotelNoticeInput, { defaultValues: { to: { kind: "all" }, text: "" } });
  const [to, text] = form.watch(["to", "text"]);
  const clearing = text.trim() === "";

  return (
    <div className="grid gap-5">
      <Card>
        <CardHeader title={t("notices.title")} description={t("notices.text")} />
        <CardBody>
          <Form
            form={form}
            onSubmit={async (values) => {
              const act = async (): Promise<void> => {
                setAnswer(await send.mutateAsync(values));
                form.setValue("text", "");
                await Promise.all([client.invalidateQueries(trpc.hotel.notices.pathFilter()), refreshRooms(client)]);
              };
              if (values.text !== "") return act();
              await confirm({
                title: t("notices.clearAsk"),
                description: t("notices.clearText"),
                confirmLabel: t("notices.clear"),
                tone: "danger",
                action: act,
              });
            }}
          >
            <NoticeTo
              board={board.data}
              value={to}
              message={form.formState.errors.to && t("validation.required")}
              onChange={(next) =>
                form.setValue("to", next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
              }
            />
            <Field form={form} name="text" label={t("notices.label")} hint={t("notices.hint")} quiet>
              {(control) => <Textarea {...control} maxLength={LONGEST} rows={2} />}
            </Field>
            <FormActions>
              <Button type="submit" variant={clearing ? "secondary" : "primary"} pending={form.formState.isSubmitting}>
                {clearing ? t("notices.clear") : t("notices.send")}
              </Button>
            </FormActions>
          </Form>
          {answer && <NoticeAnswer answer={answer} />}
        </CardBody>
      </Card>
      <NoticeStates />
    </div>
  );
}

/** Shows how many locks the text is being sent to, and which rooms can't show it, by reason. */
function NoticeAnswer({ answer: { told, cannot } }: { answer: HotelNoticeResult }) {
  const { t } = useTranslation();
  const reasons = NOTICE_REFUSALS.map((reason) => ({
    reason,
    rooms: cannot.filter((room) => room.reason === reason).map(({ roomName }) => roomName),
  })).filter(({ rooms }) => rooms.length > 0);
  return (
    <Alert
      className="mt-4"
      tone={told === 0 ? "warning" : cannot.length > 0 ? "info" : "success"}
      title={told === 0 ? t("notices.toldNone") : t("notices.told", { count: told })}
    >
      {reasons.length > 0 && (
        <ul className="mt-1 grid gap-0.5 text-sm">
          {reasons.map(({ reason, rooms }) => (
            <li key={reason}>
              {t(`notices.reason.${reason}`)}: <bdi>{formatList(rooms)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
