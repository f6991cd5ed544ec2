import { useId } from "react";
import { CheckboxInput } from "./choice-input.tsx";

type CheckListProps = {
  options: readonly { id: number; name: string }[];
  value: readonly number[];
  onChange: (value: number[]) => void;
  /** What is said if there are no options. */
  none: string;
};

/** Options to tick, in a list that scrolls. */
export function CheckList({ options, value, onChange, none }: CheckListProps) {
  const prefix = useId();
  if (options.length === 0) return <p className="text-sm text-muted-foreground">{none}</p>;
  return (
    <ul className="grid max-h-48 gap-2 overflow-y-auto rounded-md border p-3 sm:grid-cols-2">
      {options.map(({ id, name }) => (
        <li key={id} className="flex items-center gap-2.5">
          <CheckboxInput
            id={`${prefix}-${id}`}
            value={value.includes(id)}
            onChange={(on) => onChange(on ? [...value, id] : value.filter((other) => other !== id))}
          />
          <label htmlFor={`${prefix}-${id}`} className="min-w-0 truncate">
            {name}
          </label>
        </li>
      ))}
    </ul>
  );
}
