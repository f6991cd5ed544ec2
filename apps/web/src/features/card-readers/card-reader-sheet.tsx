import { Link } from "@tanstack/react-router";
import { useReaderSettings } from "@/entities/card-reader/card-reader.ts";
import { t } from "@/lib/i18n.ts";
import { SheetPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Sheet } from "@/ui/primitives/sheet.tsx";
import { CardReaderPanel, ConnectionChip, ReaderChoice } from "./card-reader-panel.tsx";

/** Opens the reader from any page, without leaving it. */
export default function ReaderSheet({ onClose }: { onClose: () => void }) {
  const { source } = useReaderSettings();
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetPanel
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {t("nav.cardReader")}
            {source === "service" && <ConnectionChip />}
          </span>
        }
        footer={
          <Button asChild variant="ghost">
            <Link to="/reader" onClick={onClose}>
              {t("reader.allTools")}
            </Link>
          </Button>
        }
      >
        <div className="grid gap-6">
          <CardReaderPanel onGuestShown={onClose} />
          <section aria-labelledby="reader-choice">
            <h3 id="reader-choice" className="mb-2 font-medium">
              {t("reader.which")}
            </h3>
            <ReaderChoice numbersToo />
          </section>
        </div>
      </SheetPanel>
    </Sheet>
  );
}
