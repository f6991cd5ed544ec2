import { useNavigate } from "@tanstack/react-router";
import { KeyRound, LogOut, Moon, Sun } from "lucide-react";
import { Dialog } from "radix-ui";
import { useMemo } from "react";
import { useSignOut } from "@/features/auth/use-sign-out.ts";
import { type PaletteCommand, setPaletteOpen, usePaletteOpen, useRegisteredCommands } from "@/lib/commands.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { setTheme, useTheme } from "@/lib/theme.ts";
import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from "../ui/command.tsx";
import { scrimStyle } from "../ui/dialog.tsx";
import { useReturnFocus } from "../ui/use-return-focus.ts";
import { useNav } from "./use-nav.ts";

function useShellCommands(): PaletteCommand[] {
  const { t } = useTranslation();
  const groups = useNav();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { dark } = useTheme();
  return [
    ...groups
      .flatMap((group) => group.entries)
      .map((entry) => ({
        id: `go:${entry.path}`,
        label: t(entry.labelKey),
        group: t("shell.goTo"),
        icon: entry.icon,
        run: () => void navigate({ to: entry.path }),
      })),
    {
      id: "password",
      label: t("shell.changePassword"),
      group: t("shell.you"),
      icon: KeyRound,
      run: () => void navigate({ to: "/user/changePsw" }),
    },
    {
      id: "theme",
      label: dark ? t("shell.toLight") : t("shell.toDark"),
      group: t("shell.you"),
      icon: dark ? Sun : Moon,
      run: () => setTheme(dark ? "light" : "dark"),
    },
    { id: "sign-out", label: t("shell.signOut"), group: t("shell.you"), icon: LogOut, run: () => void signOut() },
  ];
}

function grouped(commands: readonly PaletteCommand[]): Map<string, PaletteCommand[]> {
  const groups = new Map<string, PaletteCommand[]>();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return groups;
}

export default function CommandPalette() {
  const { t } = useTranslation();
  const open = usePaletteOpen();
  const returnFocus = useReturnFocus();
  const shell = useShellCommands();
  const registered = useRegisteredCommands();
  const groups = useMemo(() => grouped([...registered.flat(), ...shell]), [registered, shell]);

  function run(command: PaletteCommand): void {
    setPaletteOpen(false);
    command.run();
  }

  return (
    <Dialog.Root open={open} onOpenChange={setPaletteOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrimStyle} />
        <Dialog.Content
          {...returnFocus}
          aria-describedby={undefined}
          className="fixed inset-x-4 top-[12vh] z-50 mx-auto max-w-xl overflow-hidden rounded-xl border bg-popover shadow-dialog outline-none"
        >
          <Dialog.Title className="sr-only">{t("shell.searchOrGo")}</Dialog.Title>
          <Command loop label={t("shell.searchOrGo")}>
            <CommandInput placeholder={t("shell.searchOrGo")} autoFocus />
            <CommandList className="max-h-[50vh]">
              <CommandEmpty>{t("common.nothingFound")}</CommandEmpty>
              {[...groups].map(([heading, commands]) => (
                <CommandGroup key={heading} heading={heading}>
                  {commands.map((command) => (
                    <CommandItem
                      key={command.id}
                      value={command.id}
                      keywords={[command.label, ...(command.keywords ?? [])]}
                      onSelect={() => run(command)}
                    >
                      {command.icon && <command.icon aria-hidden />}
                      <span className="flex-1 truncate">{command.label}</span>
                      {command.detail && <span className="text-sm text-muted-foreground">{command.detail}</span>}
                    </CommandItem>
                  ))}
                </CommandGroup>
              ))}
            </CommandList>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
