import { LANGUAGES, type LanguageCode } from "@innkey/shared/languages";
import { Languages } from "lucide-react";
import { useTranslation } from "react-i18next";
import { changeLanguage, language } from "@/lib/i18n.ts";
import { Button } from "../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";

/** Each language in its own words. `named` shows the current one beside the icon. */
export function LanguageMenu({ named }: { named?: boolean }) {
  const { t } = useTranslation();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size={named ? "sm" : "icon"}
          aria-label={t("shell.languageIs", { name: language.nativeName })}
          title={named ? undefined : t("shell.language")}
        >
          <Languages aria-hidden className="size-[18px]!" strokeWidth={1.75} />
          {named && language.nativeName}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuRadioGroup value={language.code} onValueChange={(code) => changeLanguage(code as LanguageCode)}>
          {LANGUAGES.map(({ code, tag, dir, nativeName }) => (
            <DropdownMenuRadioItem key={code} value={code} lang={tag} dir={dir}>
              {nativeName}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
