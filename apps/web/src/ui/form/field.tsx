import { type ReactNode, type RefCallback, useId, useState } from "react";
import {
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
  useController,
} from "react-hook-form";
import { UnreadableContext } from "./dates/unreadable.ts";
import { afterPress, FieldFrame, type FieldLook, fieldMarks } from "./field-frame.tsx";

/** Props for the control, to be spread. `onChange` takes an event or the value itself. */
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

type FieldProps<Input extends FieldValues, Output, Name extends FieldPath<Input>> = FieldLook & {
  form: UseFormReturn<Input, unknown, Output>;
  name: Name;
  disabled?: boolean;
  children: (control: FieldControl<FieldPathValue<Input, Name>>) => ReactNode;
};

export function Field<Input extends FieldValues, Output, Name extends FieldPath<Input>>(
  props: FieldProps<Input, Output, Name>,
) {
  const { form, name, disabled, children, ...look } = props;
  const id = useId();
  const { field, fieldState } = useController({ control: form.control, name, disabled });
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const message = unreadable ?? fieldState.error?.message;
  return (
    <UnreadableContext value={setUnreadable}>
      <FieldFrame {...look} id={id} message={message}>
        {children({
          ...field,
          onBlur: () => afterPress(field.onBlur),
          ...fieldMarks(id, { ...look, message }),
          ...(look.layout === "group" && { "aria-labelledby": `${id}-label` }),
        })}
      </FieldFrame>
    </UnreadableContext>
  );
}

/** Shared form parts don't know their field's type; these functions cast the control's value. */
export function asText(control: FieldControl<unknown>): FieldControl<string> {
  return { ...control, value: typeof control.value === "string" ? control.value : "" };
}

export function asChoice<Value extends string>(control: FieldControl<unknown>): FieldControl<Value | null> {
  return { ...control, value: (control.value ?? null) as Value | null };
}
