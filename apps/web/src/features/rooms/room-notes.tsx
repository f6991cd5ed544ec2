import type { RoomDetail } from "@innkey/shared/schemas/rooms";
import { DoorClosed, type LucideIcon, Megaphone, NotebookText } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";

/** Texts about a room: its description, the guests' notice, and its lock's display text. */
export function RoomNotes({ room }: { room: Pick<RoomDetail, "description" | "notice" | "bulletin"> }) {
  const { t } = useTranslation();
  const notes: [LucideIcon, string, string][] = [
    [NotebookText, t("room.description"), room.description],
    [Megaphone, t("room.notice"), room.notice],
    [DoorClosed, t("room.bulletin"), room.bulletin],
  ];
  const written = notes.filter(([, , text]) => text !== "");
  if (written.length === 0) return null;
  return (
    <dl className="mb-4 grid gap-x-6 gap-y-2 rounded-md bg-sunken px-4 py-3 lg:grid-cols-3">
      {written.map(([Icon, label, text]) => (
        <div key={label} className="min-w-0">
          <dt className="flex items-center gap-1.5 text-sm text-muted-foreground">
            <Icon aria-hidden className="size-3.5 shrink-0" />
            {label}
          </dt>
          <dd dir="auto" className="name-run line-clamp-4 whitespace-pre-line wrap-anywhere">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
