import { Eye, EyeOff, type LucideIcon } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "../primitives/button.tsx";
import { Input } from "../primitives/input.tsx";

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
  const { t } = useTranslation();
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
