import { LANGUAGES } from "@innkey/shared/languages";
import { useNavigate } from "@tanstack/react-router";
import { KeyRound, Languages, LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useSignOut } from "@/features/account/login/use-sign-out.ts";
import { setTheme, useTheme } from "@/lib/browser/theme.ts";
import type { PaletteCommand } from "@/lib/commands/commands.ts";
import { changeLanguage, language, useTranslation } from "@/lib/i18n.ts";
import { useNav } from "@/shell/use-nav.ts";

/** Returns commands for every screen and for the console itself. */
export function useShellCommands(): PaletteCommand[] {
  const { t } = useTranslation();
  const screens = useNav().flatMap(({ entries }) => entries);
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { theme, dark } = useTheme();
  const you = { group: t("shell.you") };
  const look = { ...you, keywords: [t("shell.theme")] };
  return [
    ...screens.map(({ path, labelKey, icon }) => ({
      id: `go:${path}`,
      label: t(labelKey),
      group: t("shell.goTo"),
      icon,
      run: () => void navigate({ to: path }),
    })),
    {
      ...look,
      id: "theme",
      label: dark ? t("shell.toLight") : t("shell.toDark"),
      icon: dark ? Sun : Moon,
      run: () => setTheme(dark ? "light" : "dark"),
    },
    ...(theme === "system"
      ? []
      : [
          {
            ...look,
            id: "theme-system",
            label: t("shell.themeSystem"),
            icon: Monitor,
            detail: t("shell.theme"),
            run: () => setTheme("system"),
          },
        ]),
    ...LANGUAGES.filter(({ code }) => code !== language.code).map(({ code, tag, nativeName }) => ({
      ...you,
      id: `language:${code}`,
      label: nativeName,
      icon: Languages,
      detail: t("shell.language"),
      // We add "Language" in English, because somebody who can't read the current script recognises that word.
      keywords: ["language", tag, code],
      whenTyped: true,
      needsServer: true,
      run: () => changeLanguage(code),
    })),
    {
      ...you,
      id: "password",
      label: t("shell.changePassword"),
      icon: KeyRound,
      run: () => void navigate({ to: "/user/changePsw" }),
    },
    { ...you, id: "sign-out", label: t("shell.signOut"), icon: LogOut, run: () => void signOut() },
  ];
}
