import { useMemo, useState } from "react";
import { type PaletteCommand, setPaletteOpen, usePaletteOpen, useRegisteredCommands } from "@/lib/commands/commands.ts";
import { findCommands, searchable } from "@/lib/commands/palette-search.ts";
import { t } from "@/lib/i18n.ts";
import { useUnreachableItemProps } from "@/ui/action/action-button.tsx";
import {
  Command,
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
} from "@/ui/primitives/command.tsx";
import { Dialog, DialogContent, DialogTitle } from "@/ui/primitives/dialog.tsx";
import { useRoomCommands, useSearchCommands, useShellCommands } from "./palette-commands.ts";

export default function CommandPalette() {
  const open = usePaletteOpen();
  return (
    <Dialog open={open} onOpenChange={setPaletteOpen}>
      <DialogContent
        showCloseButton={false}
        aria-describedby={undefined}
        className="inset-x-4 top-[max(12vh,calc(var(--connection-bar)+1rem))] bottom-auto mx-auto block max-w-xl overflow-hidden rounded-xl p-0 sm:top-[max(12vh,calc(var(--connection-bar)+1rem))] sm:translate-y-0"
      >
        <DialogTitle className="sr-only">{t("shell.searchOrGo")}</DialogTitle>
        <Palette />
      </DialogContent>
    </Dialog>
  );
}

function run(command: PaletteCommand): void {
  setPaletteOpen(false);
  command.run();
}

/** Adds the server's results under the same headings, after those of the page and without duplicates. */
function withSearchResults(
  groups: Map<string, PaletteCommand[]>,
  results: readonly PaletteCommand[],
): Map<string, PaletteCommand[]> {
  const listed = new Set([...groups.values()].flat().map(({ id }) => id));
  const all = new Map(groups);
  for (const command of results) {
    if (!listed.has(command.id)) all.set(command.group, [...(all.get(command.group) ?? []), command]);
  }
  return all;
}

function Palette() {
  const [typed, setTyped] = useState("");
  const registered = useRegisteredCommands();
  const shell = useShellCommands();
  const rooms = useRoomCommands();
  const findable = useMemo(() => searchable(rooms), [rooms]);
  const results = useSearchCommands(typed);
  const away = useUnreachableItemProps(true);
  const groups = withSearchResults(
    findCommands([...findable, ...searchable([...registered.flat(), ...shell])], typed),
    results.commands,
  );
  return (
    <Command loop shouldFilter={false} label={t("shell.searchOrGo")}>
      <CommandInput placeholder={t("shell.searchOrGo")} value={typed} onValueChange={setTyped} autoFocus />
      <CommandList className="max-h-[50vh]">
        <CommandEmpty>
          {away && results.looking
            ? t("errors.network")
            : t(results.looking ? "common.loading" : "common.nothingFound")}
        </CommandEmpty>
        {[...groups].map(([heading, commands]) => (
          <CommandGroup key={heading} heading={heading}>
            {commands.map((command) => (
              <CommandItem
                key={command.id}
                value={command.id}
                onSelect={() => run(command)}
                {...(command.needsServer && away)}
              >
                {command.icon && <command.icon aria-hidden />}
                <span dir="auto" className="flex-1 truncate text-start">
                  {command.label}
                </span>
                {command.detail && (
                  <bdi className="max-w-[40%] truncate text-sm text-muted-foreground">{command.detail}</bdi>
                )}
              </CommandItem>
            ))}
          </CommandGroup>
        ))}
      </CommandList>
    </Command>
  );
}
