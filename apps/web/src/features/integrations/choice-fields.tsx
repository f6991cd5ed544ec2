import { useId } from "react";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";

export type ChoiceArea<Value extends string> = {
  label: string;
  choices: readonly { value: Value; label: string }[];
};

type ChoiceFieldsProps<Value extends string> = {
  areas: readonly ChoiceArea<Value>[];
  value: readonly string[];
  onChange: (values: Value[]) => void;
  id?: string;
  onBlur?: () => void;
  "aria-invalid"?: boolean;
  "aria-describedby"?: string;
};

/** Checkboxes by area; the heading of an area checks all of its boxes. */
export function ChoiceFields<Value extends string>({ areas, value, onChange, ...group }: ChoiceFieldsProps<Value>) {
  const id = useId();
  const all = areas.flatMap(({ choices }) => choices.map((choice) => choice.value));
  const setChecked = (values: readonly Value[], on: boolean): void =>
    onChange(all.filter((choiceValue) => (values.includes(choiceValue) ? on : value.includes(choiceValue))));

  return (
    <fieldset
      id={group.id}
      aria-describedby={group["aria-describedby"]}
      onBlur={group.onBlur}
      className="grid gap-x-8 rounded-md border sm:grid-cols-2"
    >
      {areas.map(({ label, choices }) => {
        const values = choices.map((choice) => choice.value);
        const checkedCount = values.filter((choiceValue) => value.includes(choiceValue)).length;
        return (
          <fieldset key={label} aria-label={label} className="px-4 py-3">
            <div className="mb-1.5 flex items-center gap-2.5">
              <CheckboxInput
                id={`${id}${label}`}
                value={checkedCount === 0 ? false : checkedCount === values.length || "indeterminate"}
                onChange={() => setChecked(values, checkedCount < values.length)}
              />
              <label htmlFor={`${id}${label}`} className="font-medium">
                {label}
              </label>
            </div>
            <div className="grid gap-2 ps-7">
              {choices.map((choice) => (
                <div key={choice.value} className="flex items-start gap-2.5">
                  <CheckboxInput
                    id={`${id}${choice.value}`}
                    value={value.includes(choice.value)}
                    aria-invalid={group["aria-invalid"]}
                    onChange={(on) => setChecked([choice.value], on)}
                  />
                  <label htmlFor={`${id}${choice.value}`}>{choice.label}</label>
                </div>
              ))}
            </div>
          </fieldset>
        );
      })}
    </fieldset>
  );
}
