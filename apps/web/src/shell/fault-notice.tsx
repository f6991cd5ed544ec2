import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Can } from "@/ui/can.tsx";
import type { Fault } from "./use-faults.ts";

/** Tells staff the effects of each fault, and what still works. */
export default function FaultNotice({ faults }: { faults: readonly Fault[] }) {
  const { timeZone } = useHotel();
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-1 border-b bg-expired-soft px-4 py-2.5 lg:px-8">
      <ul className="grid min-w-0 flex-1 basis-64 gap-1.5">
        {faults.map(({ part, since }) => (
          <li key={part} className="flex gap-2.5">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-expired" />
            <p className="min-w-0 text-pretty">
              <strong className="font-medium text-expired">{t(`system.banner.${part}.title`)}</strong>{" "}
              {t(`system.banner.${part}.text`)}
              {since && (
                <span className="whitespace-nowrap text-muted-foreground">
                  {" "}
                  {t("system.since", { time: formatTime(since, timeZone) })}
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
      <Can capability="system.view">
        <Link to="/status" className="font-medium text-expired underline underline-offset-3 max-sm:ms-6.5">
          {t("nav.status")}
        </Link>
      </Can>
    </div>
  );
}
