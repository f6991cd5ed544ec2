import { Check, Circle, CircleX, DoorOpen, LoaderCircle } from "lucide-react";
import type { Opening } from "@/entities/lock/open-door.ts";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";

const STEPS = ["queued", "sent", "opened"] as const;

/** Shows the progress and result of a remote opening. */
export function OpeningSteps({ opening: { state, failed, text } }: { opening: Opening }) {
  const { t } = useTranslation();
  const opened = state === "acknowledged";
  const at = opened ? STEPS.length : state === "sent" ? 2 : 1;
  return (
    <div
      role="status"
      className={cn(
        "flex flex-wrap items-center gap-x-6 gap-y-2 rounded-lg border px-4 py-3",
        failed ? "bg-danger-soft" : opened ? "bg-vacant-soft" : "bg-card",
      )}
    >
      {failed ? (
        <CircleX aria-hidden className="size-5 shrink-0 text-danger" />
      ) : opened ? (
        <DoorOpen aria-hidden className="size-5 shrink-0 text-vacant" />
      ) : (
        <LoaderCircle
          aria-hidden
          className="size-5 shrink-0 animate-spin text-muted-foreground motion-reduce:animate-none"
        />
      )}
      <p className={cn("min-w-0 flex-1 font-medium", failed && "text-danger", opened && "text-vacant")}>{text}</p>
      {!failed && (
        <ol className="flex gap-4 text-sm">
          {STEPS.map((step, index) => {
            const done = index < at;
            const Icon = done ? Check : Circle;
            return (
              <li key={step} className={cn("flex items-center gap-1.5", !done && "text-muted-foreground")}>
                <Icon aria-hidden className="size-4" />
                {t(`locks.door.step.${step}`)}
              </li>
            );
          })}
        </ol>
      )}
    </div>
  );
}
