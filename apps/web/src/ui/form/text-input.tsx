import { Eye, EyeOff, type LucideIcon, Phone } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Input } from "@/ui/primitives/input.tsx";

export type TextInputProps = ComponentProps<typeof Input> & {
  icon?: LucideIcon;
  /** A unit or a button inside the end of the input. */
  end?: ReactNode;
};

/** An input with something inside its edges. */
export function TextInput({ className, icon: Icon, end, ...props }: TextInputProps) {
  return (
    <div className="relative">
      {Icon && (
        <Icon
          aria-hidden
          className="pointer-events-none absolute inset-y-0 start-3 my-auto size-4 text-faint-foreground"
        />
      )}
      <Input className={cn(Icon && "ps-9", end && "pe-10", className)} {...props} />
      {end && <div className="absolute inset-y-0 end-1 flex items-center text-sm text-muted-foreground">{end}</div>}
    </div>
  );
}

export function PasswordInput(props: Omit<TextInputProps, "type" | "end">) {
  const [isVisible, setVisible] = useState(false);
  const Icon = isVisible ? EyeOff : Eye;
  const label = isVisible ? t("common.hidePassword") : t("common.showPassword");
  return (
    <TextInput
      {...props}
      type={isVisible ? "text" : "password"}
      autoCapitalize="off"
      spellCheck={false}
      end={
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={label}
          title={label}
          aria-pressed={isVisible}
          onClick={() => setVisible(!isVisible)}
        >
          <Icon aria-hidden />
        </Button>
      }
    />
  );
}

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

type NumberInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange" | "type"> & {
  value: number | null | undefined;
  /** Receives null for an empty input, and NaN for an invalid number, so that the schema refuses it. */
  onChange: (value: number | null) => void;
};

/** Input for a plain number (floor, order, latitude) with decimal point or comma. For money use MoneyInput. */
export function NumberInput({ value, onChange, onBlur, ...props }: NumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const written = value === null || value === undefined || Number.isNaN(value) ? "" : String(value);
  return (
    <Input
      inputMode="decimal"
      autoComplete="off"
      dir="ltr"
      {...props}
      value={typed ?? written}
      onChange={(event) => {
        const text = event.target.value;
        setTyped(text);
        onChange(text.trim() === "" ? null : Number(text.trim().replace(",", ".").replace("−", "-")));
      }}
      onBlur={(event) => {
        if (!Number.isNaN(value)) setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}

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
