import { type ReactNode, type RefCallback, useId } from "react";
import {
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
  useController,
} from "react-hook-form";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn.ts";
import { Label } from "../ui/label.tsx";
import { afterPress } from "./after-press.ts";

/** What a control gets: spread it. `onChange` takes an event or the value itself. */
export type FieldControl<Value> = {
  id: string;
  name: string;
  value: Value;
  onChange: (eventOrValue: unknown) => void;
  onBlur: () => void;
  ref: RefCallback<unknown>;
  disabled?: boolean;
  required?: boolean;
  "aria-invalid"?: true;
  "aria-describedby"?: string;
};

type FieldProps<Input extends FieldValues, Output, Name extends FieldPath<Input>> = {
  form: UseFormReturn<Input, unknown, Output>;
  name: Name;
  label: ReactNode;
  hint?: ReactNode;
  /** Marks the label; a field without it says "optional" unless `quiet`. */
  required?: boolean;
  quiet?: boolean;
  disabled?: boolean;
  /** `inline`: the control before its label, for checkboxes and switches. `group`: the control is a group of controls. */
  layout?: "stacked" | "inline" | "group";
  /** Something small at the end of the label's line. */
  aside?: ReactNode;
  className?: string;
  children: (control: FieldControl<FieldPathValue<Input, Name>>) => ReactNode;
};

export function Field<Input extends FieldValues, Output, Name extends FieldPath<Input>>(
  props: FieldProps<Input, Output, Name>,
) {
  const { form, name, label, hint, required, quiet, disabled, layout = "stacked", aside, className, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const { field, fieldState } = useController({ control: form.control, name, disabled });
  const message = fieldState.error?.message;
  const describedBy = message ? `${id}-error` : hint ? `${id}-hint` : undefined;

  const control = children({
    ...field,
    onBlur: () => afterPress(field.onBlur),
    id,
    ...(required && { required }),
    ...(message && { "aria-invalid": true as const }),
    ...(describedBy && { "aria-describedby": describedBy }),
    ...(layout === "group" && { "aria-labelledby": `${id}-label` }),
  });

  const caption = (
    <Label
      htmlFor={layout === "group" ? undefined : id}
      id={`${id}-label`}
      className={layout === "inline" ? "text-base font-normal" : "flex flex-wrap gap-x-1.5"}
    >
      {label}
      {!required && !quiet && layout !== "inline" && (
        <span className="font-normal text-faint-foreground">{t("common.optional")}</span>
      )}
    </Label>
  );

  return (
    <div className={cn("min-w-0", className)}>
      {layout === "inline" ? (
        <div className="flex min-h-6 items-center gap-2.5">
          {control}
          {caption}
        </div>
      ) : (
        <>
          <div className="mb-1.5 flex min-h-5 items-baseline justify-between gap-3">
            {caption}
            {aside && <div className="text-sm">{aside}</div>}
          </div>
          {control}
        </>
      )}
      {hint && !message && (
        <p
          id={`${id}-hint`}
          className={cn("mt-1.5 text-sm text-muted-foreground", layout === "inline" && "ms-7 mt-0.5")}
        >
          {hint}
        </p>
      )}
      {message && (
        <p id={`${id}-error`} className={cn("mt-1.5 text-sm font-medium text-danger", layout === "inline" && "ms-7")}>
          {message}
        </p>
      )}
    </div>
  );
}
