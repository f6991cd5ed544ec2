import { toNestErrors } from "@hookform/resolvers";
import { fieldMessages } from "@innkey/shared/field-messages";
import {
  type Field,
  type FieldError,
  type FieldValues,
  get,
  type Path,
  type Resolver,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { textOf } from "@/lib/i18n.ts";

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
 * isn't the server's. What no field of the form can show stands above the form. All typed values stay.
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
