import { toNestErrors } from "@hookform/resolvers";
import { fieldMessages } from "@innkey/shared/errors";
import { useBlocker } from "@tanstack/react-router";
import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import {
  type Field,
  type FieldError,
  type FieldPath,
  type FieldValues,
  get,
  type Path,
  type Resolver,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import { cn } from "@/lib/cn.ts";
import { confirm } from "@/lib/confirm.ts";
import { t, textOf } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { unreadableControl } from "./dates/unreadable.ts";

/** Validates with a schema. Its messages are locale keys, which we translate for the form. */
function resolverOf<Schema extends z.ZodType<FieldValues, FieldValues>>(
  schema: Schema,
): Resolver<z.input<Schema>, unknown, z.output<Schema>> {
  return async (values, _context, options) => {
    const result = await schema.safeParseAsync(values);
    if (result.success) return { values: result.data, errors: {} };
    const errors: Record<string, FieldError> = {};
    for (const [path, { key, params }] of Object.entries(fieldMessages(result.error.issues))) {
      errors[path] = { type: key, message: textOf(key, params, "validation.unknown") };
    }
    return { values: {}, errors: toNestErrors(errors, options as never) as never };
  };
}

export type ZodForm<Schema extends z.ZodType<FieldValues, FieldValues>> = UseFormReturn<
  z.input<Schema>,
  unknown,
  z.output<Schema>
>;

/**
 * Creates a form with one of the shared schemas. A field is validated when it is left, and from then on with every
 * change.
 */
export function useZodForm<Schema extends z.ZodType<FieldValues, FieldValues>>(
  schema: Schema,
  options: Omit<UseFormProps<z.input<Schema>, unknown, z.output<Schema>>, "resolver">,
): ZodForm<Schema> {
  return useForm({ mode: "onTouched", reValidateMode: "onChange", ...options, resolver: resolverOf(schema) });
}

/**
 * Shows the server's error at the fields that it names, and focuses the first of them in the order of the form, which
 * isn't the server's. Other errors appear above the form. All typed values stay.
 */
export function showFailure<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  error: unknown,
): void {
  const failure = failureOf(error);
  const order = [...form.control._names.mount];
  const fields = Object.entries(failure.fields ?? {})
    .filter(([path]) => (get(form.control._fields, path) as Field | undefined)?._f?.mount)
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  for (const [index, [path, message]] of fields.entries()) {
    const text = textOf(message.key, message.params, "validation.unknown");
    form.setError(path as Path<Input>, { type: "server", message: text }, { shouldFocus: index === 0 });
  }
  if (fields.length === 0) form.setError("root.server", { type: failure.code, message: failureText(failure) });
}

/** Returns the paths of all errors, such as `rooms.0.name`. */
function errorPaths(errors: object, prefix = ""): string[] {
  return Object.entries(errors).flatMap(([name, error]) => {
    if (!error || typeof error !== "object" || name === "ref") return [];
    const path = prefix ? `${prefix}.${name}` : name;
    return "type" in error && typeof error.type === "string" ? [path] : errorPaths(error, path);
  });
}

/** Whether the form has a field for a path, or for a whole that contains it. */
function isShown<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  path: string,
): boolean {
  const parts = path.split(".");
  return parts.some((_, index) => form.control._names.mount.has(parts.slice(0, index + 1).join(".") as never));
}

type FormProps<Input extends FieldValues, Output> = Omit<ComponentProps<"form">, "onSubmit"> & {
  form: UseFormReturn<Input, unknown, Output>;
  /** Receives the parsed values. Errors that it throws are shown at their fields or above the form. */
  onSubmit: (values: Output) => Promise<unknown> | unknown;
};

/** Submits the form when Enter is pressed on the chosen one of several options, as browsers do for their own radio buttons. */
function submitFromOption(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter") return;
  const option = (event.target as Element).closest("[role=radio][aria-checked=true]");
  if (!option || !event.currentTarget.contains(option)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/**
 * Give the mutation `meta: { shownInForm: true }`, so that its failure isn't also shown as a toast. Failures without a
 * field appear above the fields and take the focus; the failure of a field moves the focus to the field.
 */
export function Form<Input extends FieldValues, Output>({
  form,
  onSubmit,
  className,
  children,
  ...props
}: FormProps<Input, Output>) {
  const summary = useRef<HTMLDivElement>(null);
  const failure = form.formState.errors.root?.server;

  useEffect(() => {
    if (failure) summary.current?.focus();
  }, [failure]);

  const submit = form.handleSubmit(
    async (values) => {
      try {
        await onSubmit(values);
      } catch (error) {
        showFailure(form, error);
      }
    },
    (errors) => {
      if (errorPaths(errors).some((path) => isShown(form, path))) return;
      form.setError("root.server", { type: "invalid_input", message: t("errors.invalid_input") });
    },
  );

  return (
    <form
      noValidate
      className={cn("grid grid-cols-1 gap-4", className)}
      onKeyDown={submitFromOption}
      onSubmit={(event) => {
        event.stopPropagation();
        if (form.formState.isSubmitting) return event.preventDefault();
        const unreadable = unreadableControl(event.currentTarget);
        if (unreadable) {
          event.preventDefault();
          return unreadable.focus();
        }
        void submit(event);
      }}
      {...props}
    >
      {failure?.message && <Callout ref={summary} tabIndex={-1} tone="danger" title={failure.message} />}
      {children}
    </form>
  );
}

/** The row of buttons at the end of a form, the primary one last; full width on phones. */
export function FormActions({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cn("mt-1 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end", className)}>{children}</div>;
}

/** Asks whether to discard the typed values. */
function askDiscard(): Promise<boolean> {
  return confirm({
    title: t("stay.discardTitle"),
    description: t("stay.discardText"),
    confirmLabel: t("stay.discard"),
    cancelLabel: t("stay.keepEditing"),
    tone: "danger",
  });
}

/**
 * Asks before a page with unsaved values is left: by a tab, a link, the browser's back button or closing its window.
 */
export function useLeaveGuard(unsaved: boolean): void {
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    shouldBlockFn: async () => !(await askDiscard()),
  });
}

/**
 * Returns a function that closes a dialog with a form: it asks before it discards typed values, and does nothing while
 * they are being sent.
 */
export function useGuardedClose<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  onClose: () => void,
): () => void {
  const { isDirty, isSubmitting } = form.formState;

  async function close(): Promise<void> {
    if (isSubmitting) return;
    if (!isDirty || (await askDiscard())) onClose();
  }

  return () => void close();
}

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
  /** The field that is focused first, if it isn't the first in the dialog; `submit`: the button, so that Enter does the act. */
  startAt?: FieldPath<Input> | "submit";
  /** Called by Cancel, Escape and the close button. */
  onClose: () => void;
  /** As in Form: errors that it throws are shown in the form. */
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
  const formId = useId();
  return (
    <DialogPanel
      title={title}
      description={description}
      width={width}
      onDismiss={onClose}
      onOpenAutoFocus={(event) => {
        const first =
          startAt === "submit"
            ? document.querySelector<HTMLElement>(`button[form="${CSS.escape(formId)}"]`)
            : document.getElementById(formId)?.querySelector<HTMLElement>(CONTROL);
        if (!first && !startAt) return;
        event.preventDefault();
        if (startAt && startAt !== "submit") form.setFocus(startAt);
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
