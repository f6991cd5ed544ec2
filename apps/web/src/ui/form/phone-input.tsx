import { Phone } from "lucide-react";
import type { ComponentProps } from "react";
import type { Input } from "../primitives/input.tsx";
import { TextInput } from "./text-input.tsx";

/** Input for phone numbers, left to right in every language. The schema normalises spaces and dashes. */
export function PhoneInput(props: Omit<ComponentProps<typeof Input>, "type" | "icon">) {
  return (
    <TextInput
      icon={Phone}
      inputMode="tel"
      autoComplete="off"
      {...props}
      type="tel"
      dir="ltr"
      className="rtl:ps-3 rtl:pe-9 rtl:text-end"
    />
  );
}
