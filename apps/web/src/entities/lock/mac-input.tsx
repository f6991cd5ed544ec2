import type { ComponentProps } from "react";
import { Input } from "@/ui/primitives/input.tsx";

/** Input for a lock's MAC address, left to right in every language. */
export function MacInput(props: ComponentProps<typeof Input>) {
  return (
    <Input
      {...props}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      placeholder="A4:C1:38:00:1F:2B"
      className="font-mono rtl:text-end"
    />
  );
}
