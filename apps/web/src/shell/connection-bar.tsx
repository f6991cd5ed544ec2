import { CloudOff } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { t } from "@/lib/i18n.ts";
import { CONNECTION_LOST_ID, useConnectionLoss } from "@/lib/loading/connection.ts";
import { hotelZone } from "@/lib/session.ts";
import { hotelTimeTag } from "@/lib/time/hour-format.ts";

const RECONNECTED_MILLISECONDS = 4000;

/** Formats like lib/format.ts, which is not part of the login page. */
function timeOf(milliseconds: number): string {
  const format = new Intl.DateTimeFormat(hotelTimeTag(), { timeStyle: "short", timeZone: hotelZone() });
  return format.format(milliseconds);
}

/**
 * Stays above every page and dialog, whatever the scroll position, and says since when the shown data may be outdated.
 * It has no button, because a click on it would count as a click beside an open dialog.
 */
export function ConnectionBar() {
  const loss = useConnectionLoss();
  const box = useRef<HTMLDivElement>(null);
  const wasLost = useRef(false);
  const [isBack, setIsBack] = useState(false);
  const lost = loss !== null;

  useLayoutEffect(() => {
    const root = document.documentElement.style;
    const measure = (): void => root.setProperty("--connection-bar", `${box.current?.offsetHeight ?? 0}px`);
    const sizes = new ResizeObserver(measure);
    if (box.current) sizes.observe(box.current);
    measure();
    return () => sizes.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (lost) {
      wasLost.current = true;
      return setIsBack(false);
    }
    if (!wasLost.current) return;
    wasLost.current = false;
    setIsBack(true);
    const timer = setTimeout(() => setIsBack(false), RECONNECTED_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [lost]);

  return (
    <div ref={box} role="status" aria-live="assertive" className="sticky top-0 z-70">
      {loss && (
        <p
          id={CONNECTION_LOST_ID}
          className="flex items-start justify-center gap-2.5 border-b border-expired/40 bg-expired-soft px-4 py-2 shadow-float"
        >
          <CloudOff aria-hidden className="mt-0.5 size-4 shrink-0 text-expired" />
          <span className="min-w-0 text-pretty">
            <strong className="font-medium text-expired">{t("shell.lostSince", { time: timeOf(loss.since) })}</strong>{" "}
            {t("shell.lostText")}
          </span>
        </p>
      )}
      {isBack && !loss && (
        <p className="border-b border-vacant/40 bg-vacant-soft px-4 py-2 text-center font-medium text-vacant">
          {t("shell.connectionBack")}
        </p>
      )}
    </div>
  );
}
