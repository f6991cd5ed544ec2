import type { KeyNews, LockImpactItem, LockNews } from "@innkey/shared/schemas/overview/timeline";
import { KeyRound, LockKeyhole } from "lucide-react";
import { formatShort } from "@/lib/format.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { StatusChip } from "@/ui/status-chip.tsx";

/** Returns the type and holder of a key, e.g. "Door code · Ann". */
function keyName(t: Translate, kind: LockImpactItem["kind"], label: string): string {
  if (kind === "old_cards") return t("timeline.oldCards");
  return [t(`locks.kind.${kind}`), label && `\u2068${label}\u2069`].filter(Boolean).join(" · ");
}

function impactText(t: Translate, { kind, what, label, from, to }: LockImpactItem, timeZone: string): string {
  const key = keyName(t, kind, label);
  const end = to === null ? t("board.untilFurtherNotice") : formatShort(to, timeZone);
  return t(`timeline.tell.${what}`, { key, from: formatShort(from, timeZone), to: end });
}

type NewsProps = { locks: readonly LockNews[]; keys: readonly KeyNews[] };

/** Lists the commands that each lock will receive, and what happens to the other keys. */
export function LockNewsList({ locks, keys }: NewsProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return (
    <section aria-label={t("timeline.locks")} className="grid gap-3 border-t pt-4">
      <h3 className="text-sm font-semibold">{t("timeline.locks")}</h3>
      {locks.length === 0 && <p className="text-muted-foreground">{t("timeline.noLocks")}</p>}
      {locks.map(({ lockId, lockName, roomName, driver, online, tells }) => (
        <div key={lockId} className="rounded-md border">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b bg-sunken px-3 py-1.5 text-sm">
            <LockKeyhole aria-hidden className="size-4 shrink-0 text-muted-foreground" />
            <span className="font-medium">{t("board.roomNamed", { name: roomName || "–" })}</span>
            <bdi className="min-w-0 truncate text-muted-foreground">{lockName}</bdi>
            <span className="text-muted-foreground max-sm:hidden">{t(`locks.driver.${driver}`)}</span>
            <span className="ms-auto">
              <StatusChip size="sm" tone={online ? "success" : "expired"}>
                {online ? t("timeline.toldNow") : t("timeline.toldLater")}
              </StatusChip>
            </span>
          </p>
          <ul className="grid gap-1 px-3 py-2">
            {tells.map((impact) => (
              <li key={`${impact.kind}${impact.what}${impact.label}${impact.from}`}>
                {impactText(t, impact, timeZone)}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {keys.length > 0 && (
        <ul className="grid gap-1.5 rounded-md bg-expired-soft px-3 py-2">
          {keys.map(({ kind, label, what, until }) => (
            <li key={`${kind}${label}${what}`} className="flex gap-2">
              <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0 text-expired" />
              {t(`timeline.key.${what}`, { key: keyName(t, kind, label), until: formatShort(until, timeZone) })}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
