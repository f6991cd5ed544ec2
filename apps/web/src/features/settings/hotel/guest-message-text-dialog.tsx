import { type GuestMessageEvent, type GuestMessageVariable, variablesOf } from "@innkey/shared/guest-messages";
import { LANGUAGES, type LanguageCode } from "@innkey/shared/languages";
import {
  type GuestMessageSettings,
  type GuestMessageText,
  MAX_BODY,
  MAX_SUBJECT,
  saveGuestMessageTextInput,
} from "@innkey/shared/schemas/guest-messages";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useRef, useState } from "react";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";

type TextDialogProps = {
  event: GuestMessageEvent;
  settings: GuestMessageSettings;
  editable: boolean;
  onClose: () => void;
};

/** Edits the text about one event in one language, and shows it as the guest of a real stay would get it. */
export function GuestMessageTextDialog({ event, settings, editable, onClose }: TextDialogProps) {
  const [language, setLanguage] = useState<LanguageCode>(settings.language);
  const { data, error, refetch } = useQuery(trpc.guestMessages.text.queryOptions({ event, language }));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      {data ? (
        <TextEditor
          key={`${language} ${data.isOwn}`}
          {...{ event, language, editable, onClose }}
          text={data}
          hasGuestPage={settings.hasGuestPage}
          onLanguage={setLanguage}
        />
      ) : (
        <DialogPanel title={t(`guestMessages.event.${event}`)} width="lg">
          {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton className="h-64" />}
        </DialogPanel>
      )}
    </Dialog>
  );
}

type TextEditorProps = Omit<TextDialogProps, "settings"> & {
  language: LanguageCode;
  text: GuestMessageText;
  hasGuestPage: boolean;
  onLanguage: (language: LanguageCode) => void;
};

const FORM_ID = "guest-message-text";

function TextEditor({ event, language, text, editable, hasGuestPage, onLanguage, onClose }: TextEditorProps) {
  const save = useMutation(trpc.guestMessages.saveText.mutationOptions({ meta: { shownInForm: true } }));
  const reset = useMutation(trpc.guestMessages.saveText.mutationOptions());
  const { subject, body } = text;
  const form = useZodForm(saveGuestMessageTextInput, {
    defaultValues: { event, language, content: { subject, body } },
    disabled: !editable,
  });
  const close = useGuardedClose(form, onClose);
  const area = useRef<HTMLTextAreaElement | null>(null);
  const { dir, tag } = LANGUAGES.find(({ code }) => code === language) ?? LANGUAGES[2];

  function insert(name: GuestMessageVariable): void {
    const {
      selectionStart: from,
      selectionEnd: to,
      value,
    } = area.current ?? { selectionStart: 0, selectionEnd: 0, value: "" };
    const options = { shouldDirty: true, shouldValidate: true };
    form.setValue("content.body", `${value.slice(0, from)}{{${name}}}${value.slice(to)}`, options);
    area.current?.focus();
  }

  return (
    <DialogPanel
      title={t(`guestMessages.event.${event}`)}
      width="lg"
      startsAtField
      onDismiss={close}
      footer={
        editable ? (
          <>
            {text.isOwn && (
              <ActionButton
                variant="ghost"
                className="sm:me-auto"
                pending={reset.isPending}
                onClick={() => reset.mutate({ event, language, content: null })}
              >
                {t("guestMessages.useStandard")}
              </ActionButton>
            )}
            <Button variant="outline" onClick={close}>
              {t("common.cancel")}
            </Button>
            <ActionButton type="submit" form={FORM_ID} pending={form.formState.isSubmitting}>
              {t("common.save")}
            </ActionButton>
          </>
        ) : (
          <Button variant="outline" onClick={onClose}>
            {t("common.close")}
          </Button>
        )
      }
    >
      <Form
        form={form}
        id={FORM_ID}
        onSubmit={async (values) => {
          await save.mutateAsync(values);
          form.reset(values);
          toast.success(t("guestMessages.textSaved"));
        }}
      >
        <LanguageChoice value={language} disabled={form.formState.isDirty} onChange={onLanguage} />
        <Field form={form} name="content.subject" label={t("guestMessages.subject")} required>
          {(control) => <Input {...control} dir={dir} lang={tag} maxLength={MAX_SUBJECT} />}
        </Field>
        <Field
          form={form}
          name="content.body"
          label={t("guestMessages.body")}
          hint={t("guestMessages.bodyHint")}
          required
        >
          {({ ref, ...control }) => (
            <Textarea
              {...control}
              ref={(element) => {
                ref(element);
                area.current = element;
              }}
              dir={dir}
              lang={tag}
              rows={10}
              maxLength={MAX_BODY}
            />
          )}
        </Field>
        {editable && <Variables event={event} hasGuestPage={hasGuestPage} onInsert={insert} />}
      </Form>
      <Preview event={event} language={language} content={form.watch("content")} />
    </DialogPanel>
  );
}

type LanguageChoiceProps = { value: LanguageCode; disabled: boolean; onChange: (language: LanguageCode) => void };

function LanguageChoice({ value, disabled, onChange }: LanguageChoiceProps) {
  return (
    <div className="grid gap-1.5 sm:max-w-xs">
      <Label htmlFor="guest-message-language">{t("shell.language")}</Label>
      <SelectInput
        id="guest-message-language"
        value={value}
        disabled={disabled}
        onChange={onChange}
        options={LANGUAGES.map(({ code, nativeName, tag }) => ({
          value: code,
          label: <span lang={tag}>{nativeName}</span>,
        }))}
      />
    </div>
  );
}

type VariablesProps = {
  event: GuestMessageEvent;
  hasGuestPage: boolean;
  onInsert: (name: GuestMessageVariable) => void;
};

/** The variables of the event; a click puts one into the text. */
function Variables({ event, hasGuestPage, onInsert }: VariablesProps) {
  const names = variablesOf(event).filter((name) => hasGuestPage || name !== "guestLink");
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t("guestMessages.variables")}</legend>
      <div className="flex flex-wrap gap-1.5">
        {names.map((name) => (
          <Button
            key={name}
            type="button"
            variant="outline"
            size="sm"
            dir="ltr"
            className="font-mono"
            onClick={() => onInsert(name)}
          >
            {`{{${name}}}`}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

type PreviewProps = {
  event: GuestMessageEvent;
  language: LanguageCode;
  content: { subject: string; body: string } | null;
};

function Preview({ event, language, content }: PreviewProps) {
  const mayPreview = useCan()("stays.view");
  const samples = useQuery(trpc.guestMessages.samples.queryOptions(undefined, { enabled: mayPreview }));
  const [chosen, setChosen] = useState<number | null>(null);
  const stayGuestId = chosen ?? samples.data?.[0]?.stayGuestId ?? null;
  const input = useDeferredValue(saveGuestMessageTextInput.safeParse({ event, language, content }).data?.content);
  const preview = useQuery(
    trpc.guestMessages.preview.queryOptions(
      { event, language, content: input ?? { subject: "", body: "" }, stayGuestId: stayGuestId ?? 0 },
      { enabled: Boolean(input) && stayGuestId !== null, placeholderData: keepPreviousData },
    ),
  );
  if (!mayPreview || stayGuestId === null) return null;
  const { dir, tag } = LANGUAGES.find(({ code }) => code === language) ?? LANGUAGES[2];
  return (
    <section aria-label={t("guestMessages.preview")} className="mt-5 grid gap-3 rounded-lg bg-sunken p-4">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="font-semibold">{t("guestMessages.preview")}</h3>
        <SelectInput
          aria-label={t("guestMessages.previewOf")}
          className="w-full sm:ms-auto sm:w-72"
          value={String(stayGuestId)}
          onChange={(value) => setChosen(Number(value))}
          options={(samples.data ?? []).map((sample) => ({
            value: String(sample.stayGuestId),
            label: (
              <bdi>
                {sample.roomName} · {sample.guestName}
              </bdi>
            ),
          }))}
        />
      </div>
      {preview.data && (
        <div dir={dir} lang={tag}>
          <p className="font-medium">{preview.data.subject}</p>
          <p className="mt-2 whitespace-pre-wrap wrap-anywhere">{preview.data.body}</p>
        </div>
      )}
    </section>
  );
}
