import { type ReactNode, useId } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "../primitives/button.tsx";
import { Dialog, DialogContent } from "../primitives/dialog.tsx";
import { Form } from "./form.tsx";

type FormDialogProps<Input extends FieldValues, Output> = {
  form: UseFormReturn<Input, unknown, Output>;
  title: ReactNode;
  description?: ReactNode;
  width?: "sm" | "md" | "lg";
  /** The act itself, a verb. */
  submitLabel: ReactNode;
  cancelLabel?: string;
  tone?: "primary" | "danger";
  /** Has the focus at first, where that isn't the first thing in the box. */
  startAt?: FieldPath<Input>;
  /** Cancel, Escape and the cross. */
  onClose: () => void;
  /** As in Form: what it throws is shown in the form. */
  onSubmit: (values: Output) => Promise<unknown> | unknown;
  className?: string;
  children: ReactNode;
};

/** A form in a dialog whose buttons stay in sight. */
export function FormDialog<Input extends FieldValues, Output>(props: FormDialogProps<Input, Output>) {
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()}>
      <FormDialogContent {...props} />
    </Dialog>
  );
}

/** The same inside a Dialog that is there already, such as one that first loads what it is about. */
export function FormDialogContent<Input extends FieldValues, Output>({
  form,
  title,
  description,
  width,
  submitLabel,
  cancelLabel,
  tone = "primary",
  startAt,
  onClose,
  onSubmit,
  className,
  children,
}: FormDialogProps<Input, Output>) {
  const { t } = useTranslation();
  const formId = useId();
  return (
    <DialogContent
      title={title}
      description={description}
      width={width}
      onDismiss={onClose}
      onOpenAutoFocus={(event) => {
        if (!startAt) return;
        event.preventDefault();
        form.setFocus(startAt);
      }}
      footer={
        <>
          <Button onClick={onClose}>{cancelLabel ?? t("common.cancel")}</Button>
          <Button type="submit" form={formId} variant={tone} pending={form.formState.isSubmitting}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <Form form={form} id={formId} className={className} onSubmit={onSubmit}>
        {children}
      </Form>
    </DialogContent>
  );
}
