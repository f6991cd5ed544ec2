import { type ReactNode, useId } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { useTranslation } from "@/lib/i18n.ts";
import { ActionButton } from "../action/action-button.tsx";
import { DialogPanel } from "../dialog/panel.tsx";
import { Button } from "../primitives/button.tsx";
import { Dialog } from "../primitives/dialog.tsx";
import { Form } from "./form.tsx";

const CONTROL = ":is(input, textarea, button):not(:disabled, [tabindex='-1'], [aria-hidden='true'])";

type FormDialogProps<Input extends FieldValues, Output> = {
  form: UseFormReturn<Input, unknown, Output>;
  title: ReactNode;
  description?: ReactNode;
  width?: "sm" | "md" | "lg";
  /** Label of the submit button, a verb. */
  submitLabel: ReactNode;
  cancelLabel?: string;
  tone?: "primary" | "danger";
  /** The field that is focused first, if it isn't the first in the dialog. */
  startAt?: FieldPath<Input>;
  /** Called by Cancel, Escape and the close button. */
  onClose: () => void;
  /** As in Form: what it throws is shown in the form. */
  onSubmit: (values: Output) => Promise<unknown> | unknown;
  className?: string;
  children: ReactNode;
};

/** A form in a dialog whose buttons always stay visible. */
export function FormDialog<Input extends FieldValues, Output>(props: FormDialogProps<Input, Output>) {
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()}>
      <FormDialogContent {...props} />
    </Dialog>
  );
}

/** The same inside an existing Dialog, for example one that loads its data first. */
export function FormDialogContent<Input extends FieldValues, Output>({
  form,
  title,
  description,
  width,
  submitLabel,
  cancelLabel,
  tone,
  startAt,
  onClose,
  onSubmit,
  className,
  children,
}: FormDialogProps<Input, Output>) {
  const { t } = useTranslation();
  const formId = useId();
  return (
    <DialogPanel
      title={title}
      description={description}
      width={width}
      onDismiss={onClose}
      onOpenAutoFocus={(event) => {
        const first = document.getElementById(formId)?.querySelector<HTMLElement>(CONTROL);
        if (!first && !startAt) return;
        event.preventDefault();
        if (startAt) form.setFocus(startAt);
        else first?.focus();
      }}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {cancelLabel ?? t("common.cancel")}
          </Button>
          <ActionButton
            type="submit"
            form={formId}
            variant={tone === "danger" ? "destructive" : "default"}
            pending={form.formState.isSubmitting}
          >
            {submitLabel}
          </ActionButton>
        </>
      }
    >
      <Form form={form} id={formId} className={className} onSubmit={onSubmit}>
        {children}
      </Form>
    </DialogPanel>
  );
}
