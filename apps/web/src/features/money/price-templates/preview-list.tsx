import type { PlainPrices, TemplatePreview } from "@innkey/shared/schemas/price-templates";
import { ArrowRight } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";

const FIELDS = ["usual", "weekend", "deposit", "renewal", "hour", "month", "year"] as const;

type PreviewRoom = TemplatePreview["rooms"][number];

/** Lists the changes that a template would make to each room. Rooms without changes come last. */
export function PreviewList({ preview }: { preview: TemplatePreview }) {
  const { t } = useTranslation();
  const changing = preview.rooms.filter(({ changes }) => changes);
  const same = preview.rooms.filter(({ changes }) => !changes);
  return (
    <div>
      <p className="mb-2 font-medium" role="status">
        {[
          changing.length > 0 && t("priceTemplates.changing", { count: changing.length }),
          same.length > 0 && t("priceTemplates.same", { count: same.length }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <ul className="divide-y rounded-md border">
        {[...changing, ...same].map((room) => (
          <li
            key={room.roomId}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-3 py-2 [content-visibility:auto]"
          >
            <bdi className={cn("w-24 shrink-0 truncate font-medium", !room.changes && "text-muted-foreground")}>
              {room.roomName}
            </bdi>
            {room.changes ? (
              <Changes room={room} after={preview.after} />
            ) : (
              <span className="text-sm text-muted-foreground">{t("priceTemplates.unchanged")}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Changes({ room: { before, datesChanged }, after }: { room: PreviewRoom; after: PlainPrices }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const words = (minor: number | null): string => (minor === null ? "–" : formatMoney(minor, currency));
  const fields = FIELDS.filter((field) => {
    const name = `${field}Minor` as const;
    return before ? before[name] !== after[name] : after[name] !== null;
  });
  return (
    <ul className="flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-1 text-sm">
      {!before && <li className="text-muted-foreground">{t("priceTemplates.firstPrices")}</li>}
      {fields.map((field) => {
        const name = `${field}Minor` as const;
        return (
          <li key={field} className="flex flex-wrap items-baseline gap-x-1.5 tabular-nums">
            <span className="text-muted-foreground">{t(`prices.${field}`)}</span>
            {before && <span className="text-muted-foreground line-through">{words(before[name])}</span>}
            {before && <ArrowRight aria-hidden className="flip-rtl size-3 self-center text-faint-foreground" />}
            <span className="font-medium">{words(after[name])}</span>
          </li>
        );
      })}
      {datesChanged > 0 && <li className="font-medium">{t("priceTemplates.nights", { count: datesChanged })}</li>}
    </ul>
  );
}
