import type { StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import { Link } from "@tanstack/react-router";
import { Nfc } from "lucide-react";
import type { ReactNode } from "react";
import { type CardWriting, WritingDial, WritingOutcome } from "@/features/cards/writing/writing-panel.tsx";
import { t } from "@/lib/i18n.ts";
import { breaksLine, ReaderError } from "@/readers/reader-error.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { type QuickCode, QuickCodeButton } from "./quick-code.tsx";
import type { KeyWriting } from "./use-key-writing.ts";

/** What is happening at the reader. Without a reader, it says how to connect one and offers a code. */
export function Writing({
  keys,
  writing,
  code,
  children,
}: {
  keys: StayKeys;
  writing: CardWriting & Pick<KeyWriting, "queue">;
  code: QuickCode;
  children?: ReactNode;
}) {
  const { progress, queue } = writing;
  const hasNoReader =
    progress.state === "failed" && progress.error instanceof ReaderError && breaksLine(progress.error);
  if (queue.length === 0 && progress.state === "idle")
    return (
      <div className="flex flex-wrap gap-2">
        {children}
        <QuickCodeButton code={code} />
      </div>
    );
  return (
    <div className="grid gap-3">
      {children}
      <div className="flex items-start gap-4">
        {progress.state !== "idle" && <WritingDial progress={progress} className="size-20 max-sm:size-14" />}
        <div className="min-w-0 flex-1">
          <WritingOutcome
            progress={progress}
            next={queue.length > 0 && t("card.nextCard")}
            notYetOpening={keys.door?.setUp === false ? t("board.roomNamed", { name: keys.room.name }) : undefined}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {hasNoReader && (
          <Button asChild variant="outline" size="sm">
            <Link to="/reader">
              <Nfc aria-hidden />
              {t("keys.connectReader")}
            </Link>
          </Button>
        )}
        <QuickCodeButton code={code} />
      </div>
    </div>
  );
}
