import { handOverInput } from "@innkey/shared/schemas/access/passcodes";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, useZodForm } from "@/ui/form/form.tsx";
import { Input } from "@/ui/primitives/input.tsx";

type HandOverCodeProps = {
  passcodeId: number;
  /** Phone number or mail address of the person, if known. */
  address: string;
  /** Codes are sent once every lock has confirmed them. */
  isReady: boolean;
};

/** Sends a code to a phone or mail address, if this server can. */
export function HandOverCode({ passcodeId, address, isReady }: HandOverCodeProps) {
  const { data: ways } = useQuery(trpc.passcodes.handOverWays.queryOptions());
  const form = useZodForm(handOverInput, { defaultValues: { passcodeId, to: address } });
  const send = useMutation(trpc.passcodes.handOver.mutationOptions({ meta: { shownInForm: true } }));
  if (!ways || !(ways.sms || ways.mail)) return null;
  const label = ways.sms && ways.mail ? "phoneOrMail" : ways.sms ? "phone" : "mail";
  return (
    <Form
      form={form}
      className="grid-cols-[minmax(0,1fr)_auto] items-start gap-2"
      onSubmit={async (input) => {
        const { to } = await send.mutateAsync(input);
        toast.success(t("passcode.sentTo", { to }));
      }}
    >
      <Field
        form={form}
        name="to"
        label={t(`passcode.sendTo.${label}`)}
        hint={isReady ? undefined : t("passcode.sendLater")}
      >
        {(control) => (
          <Input {...control} type="text" dir="ltr" autoComplete="off" maxLength={254} className="rtl:text-end" />
        )}
      </Field>
      <ActionButton
        type="submit"
        variant="outline"
        className="mt-7"
        disabled={!isReady}
        pending={form.formState.isSubmitting}
      >
        <Send aria-hidden />
        {t("passcode.send")}
      </ActionButton>
    </Form>
  );
}
