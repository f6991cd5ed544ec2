import { LANGUAGES, type LanguageCode } from "@innkey/shared/languages";
import type { ReactElement } from "react";
import { changeLanguage, language } from "@/lib/i18n.ts";
import { useUnreachableItemProps } from "@/ui/action/action-button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";

/** Names each language in that language. */
export default function LanguageChoices({ trigger }: { trigger: ReactElement }) {
  const away = useUnreachableItemProps(true);
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuRadioGroup value={language.code} onValueChange={(code) => changeLanguage(code as LanguageCode)}>
          {LANGUAGES.map(({ code, tag, dir, nativeName }) => (
            <DropdownMenuRadioItem key={code} value={code} lang={tag} dir={dir} {...away}>
              {nativeName}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
