import { useQuery } from "@tanstack/react-query";
import { NotebookPen } from "lucide-react";
import { Suspense, useMemo } from "react";
import { useCommands } from "@/lib/commands/commands.ts";
import { setHandOverOpen, useHandOverOpen } from "@/lib/commands/hand-over-sheet.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { appLazy } from "@/lib/loading/app-lazy.ts";
import { trpc } from "@/lib/trpc.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";

const HandOverSheet = appLazy(() => import("./hand-over-sheet.tsx"));

/** Opens the hand-over notes; a dot says that some are new or due. */
export function HandOverButton() {
  const isOpen = useHandOverOpen();
  const { data } = useQuery(trpc.handOver.waiting.queryOptions(undefined, { refetchInterval: BY_TIME_MILLISECONDS }));
  const waiting = data?.waiting ?? 0;
  const commands = useMemo(
    () => [
      {
        id: "hand-over",
        label: t("nav.handOver"),
        group: t("nav.desk"),
        icon: NotebookPen,
        run: () => setHandOverOpen(true),
      },
    ],
    [],
  );
  useCommands(commands);
  return (
    <>
      <span className="relative">
        <IconButton
          icon={NotebookPen}
          label={waiting > 0 ? t("shell.handOverWaiting", { number: formatNumber(waiting) }) : t("nav.handOver")}
          aria-expanded={isOpen}
          onClick={() => setHandOverOpen(true)}
        />
        {waiting > 0 && (
          <span
            aria-hidden
            className="pointer-events-none absolute end-1.5 top-1.5 size-2 rounded-full bg-destructive ring-2 ring-background"
          />
        )}
      </span>
      {isOpen && (
        <Suspense>
          <HandOverSheet onClose={() => setHandOverOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
