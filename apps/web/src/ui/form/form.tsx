import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { cn } from "@/lib/cn.ts";
import { Callout } from "../callout.tsx";
import { showFailure } from "./use-zod-form.ts";

type FormProps<Input extends FieldValues, Output> = Omit<ComponentProps<"form">, "onSubmit"> & {
  form: UseFormReturn<Input, unknown, Output>;
  /** Receives the parsed values. What it throws is shown at its fields or above the form. */
  onSubmit: (values: Output) => Promise<unknown> | unknown;
};

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

  const submit = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values);
    } catch (error) {
      showFailure(form, error);
    }
  });

  return (
    <form
      noValidate
      className={cn("grid grid-cols-1 gap-4", className)}
      onSubmit={(event) => {
        event.stopPropagation();
        if (form.formState.isSubmitting) return event.preventDefault();
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
