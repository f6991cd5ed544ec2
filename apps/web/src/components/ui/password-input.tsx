import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./icon-button.tsx";
import { Input, type InputProps } from "./input.tsx";

export function PasswordInput(props: Omit<InputProps, "type" | "end">) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <Input
      {...props}
      type={shown ? "text" : "password"}
      autoCapitalize="off"
      spellCheck={false}
      end={
        <IconButton
          icon={shown ? EyeOff : Eye}
          size="iconSm"
          label={shown ? t("common.hidePassword") : t("common.showPassword")}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
