import { paletteShortcut, setShortcutHelpOpen, useShortcutHelpOpen } from "@/lib/commands/commands.ts";
import { t } from "@/lib/i18n.ts";
import { Dialog, DialogContent, DialogHeader, DialogTitle } from "@/ui/primitives/dialog.tsx";
import { Kbd, KbdGroup } from "@/ui/primitives/kbd.tsx";

type Shortcut = { keys: readonly string[]; text: string };

const ARROWS = ["←", "↑", "→", "↓"];

/** Every shortcut of the console, by where it works. */
function shortcutGroups(): { title: string; shortcuts: Shortcut[] }[] {
  return [
    {
      title: t("shortcuts.everywhere"),
      shortcuts: [
        { keys: [paletteShortcut], text: t("shell.searchOrGo") },
        { keys: ["/"], text: t("shortcuts.search") },
        { keys: ["?"], text: t("shortcuts.help") },
        { keys: ["Esc"], text: t("shortcuts.escape") },
      ],
    },
    {
      title: t("shortcuts.board"),
      shortcuts: [
        { keys: ["↓"], text: t("shortcuts.toCards") },
        { keys: ARROWS, text: t("shortcuts.walk") },
        { keys: ["C"], text: t("board.checkIn") },
        { keys: ["R"], text: t("board.reserve") },
        { keys: ["O"], text: t("board.checkOut") },
        { keys: ["E"], text: t("board.renew") },
        { keys: ["M"], text: t("board.changeRoom") },
        { keys: ["K"], text: t("board.newCard") },
        { keys: ["G"], text: t("board.guestDetails") },
        { keys: ["V"], text: t("board.markClean") },
        { keys: ["D"], text: t("board.markDirty") },
      ],
    },
  ];
}

/** Lists the keyboard shortcuts; `?` opens it. */
export default function ShortcutHelp() {
  return (
    <Dialog open={useShortcutHelpOpen()} onOpenChange={setShortcutHelpOpen}>
      <DialogContent aria-describedby={undefined} className="sm:max-w-2xl">
        <DialogHeader>
          <DialogTitle>{t("shell.shortcuts")}</DialogTitle>
        </DialogHeader>
        <div className="scroll-quiet grid max-h-[70dvh] gap-6 overflow-y-auto sm:grid-cols-2">
          {shortcutGroups().map(({ title, shortcuts }) => (
            <section key={title} aria-label={title}>
              <h3 className="mb-2 text-sm font-medium text-muted-foreground">{title}</h3>
              <dl className="grid gap-1.5">
                {shortcuts.map(({ keys, text }) => (
                  <div key={text} className="flex items-center justify-between gap-4">
                    <dt>{text}</dt>
                    <dd dir="ltr" className="shrink-0">
                      <KbdGroup>
                        {keys.map((key) => (
                          <Kbd key={key}>{key}</Kbd>
                        ))}
                      </KbdGroup>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </DialogContent>
    </Dialog>
  );
}
