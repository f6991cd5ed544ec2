import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "./button.tsx";
import { Input, type InputProps } from "./input.tsx";

export function PasswordInput(props: Omit<InputProps, "type" | "end">) {
  const { t } = useTranslation();
  const [isVisible, setVisible] = useState(false);
  const Icon = isVisible ? EyeOff : Eye;
  const label = isVisible ? t("common.hidePassword") : t("common.showPassword");
  return (
    <Input
      {...props}
      type={isVisible ? "text" : "password"}
      autoCapitalize="off"
      spellCheck={false}
      end={
        <Button
          variant="ghost"
          size="iconSm"
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
