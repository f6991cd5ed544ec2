import { Languages, Moon, Sun } from "lucide-react";
import { useTheme } from "@/lib/browser/theme.ts";
import { language, t } from "@/lib/i18n.ts";
import { MenuButton } from "@/ui/action/menu-button.tsx";

/** `named` shows the current language beside the icon. */
export function LanguageMenu({ named }: { named?: boolean }) {
  return (
    <MenuButton
      menu={() => import("./language-choices.tsx")}
      variant="ghost"
      size={named ? "sm" : "icon"}
      aria-label={t("shell.languageIs", { name: language.nativeName })}
      title={named ? undefined : t("shell.language")}
    >
      <Languages aria-hidden className="size-[18px]!" strokeWidth={1.75} />
      {named && language.nativeName}
    </MenuButton>
  );
}

export function ThemeMenu() {
  const { dark } = useTheme();
  const Current = dark ? Moon : Sun;
  return (
    <MenuButton
      menu={() => import("./theme-choices.tsx")}
      variant="ghost"
      size="icon"
      aria-label={t("shell.theme")}
      title={t("shell.theme")}
    >
      <Current aria-hidden className="size-[18px]!" strokeWidth={1.75} />
    </MenuButton>
  );
}
