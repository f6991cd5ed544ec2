import { fromLocalInput, toLocalInput } from "@innkey/shared/hotel-time";
import type { ComponentProps } from "react";
import { useHotel } from "@/lib/session.ts";
import { Input } from "../ui/input.tsx";

type HotelDateTimeInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange" | "type" | "min" | "max"> & {
  /** An ISO instant. */
  value: string | null | undefined;
  onChange: (instant: string | null) => void;
  /** ISO instants too. */
  min?: string;
  max?: string;
};

/** A date and time on the hotel's clock, whatever clock the browser runs on. */
export function HotelDateTimeInput({ value, onChange, min, max, ...props }: HotelDateTimeInputProps) {
  const { timeZone } = useHotel();
  const local = (instant: string | null | undefined) => (instant ? toLocalInput(instant, timeZone) : undefined);
  return (
    <Input
      {...props}
      type="datetime-local"
      value={local(value) ?? ""}
      min={local(min)}
      max={local(max)}
      onChange={(event) => onChange(event.target.value ? fromLocalInput(event.target.value, timeZone) : null)}
    />
  );
}
