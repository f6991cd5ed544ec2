import type { ChangePreview } from "@innkey/shared/schemas/timeline";
import { CircleAlert } from "lucide-react";
import { failureText } from "@/lib/api-error.ts";
import { type TextKey, textOf, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { periodWords } from "../timeline-words.ts";

/** Shows the guest, the present room and period, and the new ones. */
export function ChangeFacts({ preview }: { preview: ChangePreview }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { from, to, guestName } = preview;
  const textOfPlace = ({ roomName, startsAt, endsAt }: ChangePreview["from"]): string =>
    `${t("board.roomNamed", { name: `\u2068${roomName}\u2069` })} · ${periodWords(t, startsAt, endsAt, timeZone)}`;
  return (
    <div className="rounded-lg bg-sunken px-4 py-3">
      <p dir="auto" className="name-run truncate font-semibold">
        {guestName}
      </p>
      <p className="text-sm text-muted-foreground line-through">{textOfPlace(from)}</p>
      <p className="font-medium">{textOfPlace(to)}</p>
    </div>
  );
}

/** Explains why the change is refused, and lists the conflicts. */
export function ChangeRefusal({ preview }: { preview: ChangePreview }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { refusal, conflicts } = preview;
  if (!refusal) return null;
  const fields = Object.values(refusal.fields).map(({ key, params }) => textOf(key as TextKey, params));
  const title =
    fields.length > 0 ? fields.join(" ") : failureText({ code: refusal.code as "room_taken", params: refusal.params });
  return (
    <Alert tone="danger" title={title}>
      {conflicts.length > 0 && (
        <ul className="mt-1 grid gap-1">
          {conflicts.map(({ kind, guestName, startsAt, endsAt, note }) => (
            <li key={startsAt} className="flex gap-2">
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
              {t("timeline.inTheWay", {
                name: kind === "stay" ? `\u2068${guestName}\u2069` : note || t("status.maintenance"),
                period: periodWords(t, startsAt, endsAt, timeZone),
              })}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
