import { fromLocalInput, toLocalInput } from "@innkey/shared/hotel-time";
import { type ComponentProps, useId } from "react";
import { formatFullDateTime } from "@/lib/format.ts";
import { useHotel } from "@/lib/session.ts";
import { Input } from "../primitives/input.tsx";

type HotelDateTimeInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange" | "type" | "min" | "max"> & {
  /** An ISO instant. */
  value: string | null | undefined;
  onChange: (instant: string | null) => void;
  /** ISO instants. */
  min?: string;
  max?: string;
};

/**
 * Input for a date and time in the hotel's zone, whatever the browser's zone is. Browsers show it in their own language
 * and without the weekday, so the chosen value is repeated below in the console's language.
 */
export function HotelDateTimeInput({ value, onChange, min, max, ...props }: HotelDateTimeInputProps) {
  const { timeZone } = useHotel();
  const echoId = useId();
  const local = (instant: string | null | undefined) => (instant ? toLocalInput(instant, timeZone) : undefined);
  return (
    <>
      <Input
        {...props}
        aria-describedby={[props["aria-describedby"], value && echoId].filter(Boolean).join(" ") || undefined}
        type="datetime-local"
        value={local(value) ?? ""}
        min={local(min)}
        max={local(max)}
        onChange={(event) => onChange(event.target.value ? fromLocalInput(event.target.value, timeZone) : null)}
      />
      {value && (
        <p id={echoId} className="mt-1 text-sm text-pretty text-muted-foreground">
          {formatFullDateTime(value, timeZone)}
        </p>
      )}
    </>
  );
}
