import { Nfc } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { appLazy } from "@/lib/app-lazy.ts";
import { useCommands } from "@/lib/commands.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { IconButton } from "@/ui/primitives/icon-button.tsx";

const ReaderSheet = appLazy(() => import("./reader-sheet.tsx"));

/** In the navbar of every screen: opens the card reader beside what one is doing. */
export function ReaderButton() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const commands = useMemo(
    () => [{ id: "read-card", label: t("reader.read"), group: t("nav.desk"), icon: Nfc, run: () => setOpen(true) }],
    [t],
  );
  useCommands(commands);
  return (
    <>
      <IconButton icon={Nfc} label={t("reader.title")} aria-expanded={open} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <ReaderSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
