import type { HandOverNote } from "@innkey/shared/schemas/stays/hand-over";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BedDouble, Clock } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { useHotelClock } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Badge } from "@/ui/primitives/badge.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";

type NoteListProps = {
  notes: readonly HandOverNote[];
  /** Notes that are marked as new. */
  newIds: ReadonlySet<number>;
  className?: string;
  /** Called when a link to another page was followed. */
  onLeave?: () => void;
};

/** Notes with their ticks. */
export function NoteList({ notes, newIds, className, onLeave }: NoteListProps) {
  const { now } = useHotelClock();
  return (
    <ul className={cn("divide-y", className)}>
      {notes.map((note) => (
        <NoteRow key={note.id} note={note} isNew={newIds.has(note.id)} now={now} onLeave={onLeave} />
      ))}
    </ul>
  );
}

type NoteRowProps = { note: HandOverNote; isNew: boolean; now: number; onLeave: (() => void) | undefined };

function NoteRow({ note, isNew, now, onLeave }: NoteRowProps) {
  const { timeZone } = useHotel();
  const setDone = useMutation(trpc.handOver.setDone.mutationOptions());
  const { id, text, roomId, roomName, dueAt, authorName, createdAt, doneAt, doneByName } = note;
  // The tick shows at once what was asked for; the note moves to the other list when it has been read again.
  const done = setDone.isPending || setDone.isSuccess ? setDone.variables.done : doneAt !== null;
  const isLate = dueAt !== null && !done && Date.parse(dueAt) <= now;
  return (
    <li className="flex items-start gap-3 px-5 py-3">
      <CheckboxInput
        value={done}
        aria-label={t("handOver.markDone", { text })}
        disabled={setDone.isPending}
        onChange={(next) => setDone.mutate({ id, done: next })}
        className="mt-0.5"
      />
      <div className="min-w-0 flex-1">
        <p dir="auto" className={cn("break-words whitespace-pre-line", done && "text-muted-foreground line-through")}>
          {text}
        </p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-muted-foreground">
          {isNew && <Badge>{t("handOver.new")}</Badge>}
          {roomName !== null && <RoomChip roomId={roomId} name={roomName} onLeave={onLeave} />}
          {dueAt !== null && doneAt === null && (
            <StatusChip tone={isLate ? "expired" : "neutral"} icon={Clock} size="sm">
              {t(isLate ? "handOver.overdue" : "handOver.dueAt", { at: formatShort(dueAt, timeZone) })}
            </StatusChip>
          )}
          <span className="min-w-0">
            {doneAt !== null && doneByName !== null
              ? t("handOver.doneBy", { name: doneByName, at: formatShort(doneAt, timeZone) })
              : `${authorName}, ${formatShort(createdAt, timeZone)}`}
          </span>
        </p>
      </div>
    </li>
  );
}

type RoomChipProps = { roomId: number | null; name: string; onLeave: (() => void) | undefined };

/** Names the room, and leads to it unless it was removed. */
function RoomChip({ roomId, name, onLeave }: RoomChipProps) {
  const content = (
    <>
      <BedDouble aria-hidden />
      <bdi>{name}</bdi>
    </>
  );
  if (roomId === null) return <Badge variant="outline">{content}</Badge>;
  return (
    <Badge variant="outline" asChild>
      <Link to="/room/$roomId" params={{ roomId }} onClick={onLeave} className="hover:bg-hover hover:text-foreground">
        {content}
      </Link>
    </Badge>
  );
}
