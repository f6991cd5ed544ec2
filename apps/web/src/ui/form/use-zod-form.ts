import { toNestErrors } from "@hookform/resolvers";
import { fieldMessages } from "@innkey/shared/field-messages";
import {
  type FieldError,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { textOf } from "@/lib/i18n.ts";

/** Messages of our schemas are locale keys; the form keeps what the person reads. */
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

/** A form over one of the shared schemas; complains on leaving a field, forgives while typing. */
export function useZodForm<Schema extends z.ZodType<FieldValues, FieldValues>>(
  schema: Schema,
  options: Omit<UseFormProps<z.input<Schema>, unknown, z.output<Schema>>, "resolver">,
): ZodForm<Schema> {
  return useForm({ mode: "onTouched", reValidateMode: "onChange", ...options, resolver: resolverOf(schema) });
}

/** Puts the server's answer where it belongs: at the fields it names, else above the form. Nothing typed is lost. */
export function showFailure<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  error: unknown,
): void {
  const failure = failureOf(error);
  const fields = Object.entries(failure.fields ?? {});
  for (const [index, [path, message]] of fields.entries()) {
    const text = textOf(message.key, message.params, "validation.unknown");
    form.setError(path as Path<Input>, { type: "server", message: text }, { shouldFocus: index === 0 });
  }
  if (fields.length === 0) form.setError("root.server", { type: failure.code, message: failureText(failure) });
}
