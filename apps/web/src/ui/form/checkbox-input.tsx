import type { ComponentProps } from "react";
import { Checkbox } from "../primitives/checkbox.tsx";
import { Switch } from "../primitives/switch.tsx";

type Controlled = "value" | "onChange" | "checked" | "onCheckedChange";

type CheckboxInputProps = Omit<ComponentProps<typeof Checkbox>, Controlled> & {
  value: boolean | "indeterminate" | undefined;
  onChange: (value: boolean) => void;
};

/** A checkbox as the control of a field. */
export function CheckboxInput({ value, onChange, ...props }: CheckboxInputProps) {
  return <Checkbox {...props} checked={value ?? false} onCheckedChange={(checked) => onChange(checked === true)} />;
}

type SwitchInputProps = Omit<ComponentProps<typeof Switch>, Controlled> & {
  value: boolean | undefined;
  onChange: (value: boolean) => void;
};

/** A switch as the control of a field. */
export function SwitchInput({ value, onChange, ...props }: SwitchInputProps) {
  return <Switch {...props} checked={value ?? false} onCheckedChange={onChange} />;
}
