import { LANGUAGES, type LanguageCode } from "@innkey/shared/languages";
import type { ReactElement } from "react";
import { changeLanguage, language } from "@/lib/i18n.ts";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";

/** Names each language in that language. */
export default function LanguageChoices({ trigger }: { trigger: ReactElement }) {
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuRadioGroup value={language.code} onValueChange={(code) => changeLanguage(code as LanguageCode)}>
          {LANGUAGES.map(({ code, tag, dir, nativeName }) => (
            <DropdownMenuRadioItem key={code} needsServer value={code} lang={tag} dir={dir}>
              {nativeName}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
