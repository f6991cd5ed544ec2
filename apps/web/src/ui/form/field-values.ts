import type { FieldControl } from "./field.tsx";

/** A form part that serves several forms doesn't know their paths' types; these say what its own fields hold. */
export function asText(control: FieldControl<unknown>): FieldControl<string> {
  return { ...control, value: typeof control.value === "string" ? control.value : "" };
}

export function asChoice<Value extends string>(control: FieldControl<unknown>): FieldControl<Value | null> {
  return { ...control, value: (control.value ?? null) as Value | null };
}

/** A date input says "" for no date; the schema wants null. */
export function asDate(control: FieldControl<unknown>) {
  const { onChange, ...rest } = asText(control);
  return { ...rest, onChange: (event: { target: { value: string } }) => onChange(event.target.value || null) };
}
