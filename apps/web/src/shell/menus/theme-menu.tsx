import { Moon, Sun } from "lucide-react";
import { useTheme } from "@/lib/browser/theme.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { MenuButton } from "@/ui/action/menu-button.tsx";

export function ThemeMenu() {
  const { t } = useTranslation();
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
