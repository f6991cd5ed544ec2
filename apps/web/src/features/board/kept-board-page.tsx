import { CloudOff } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { RoomStatusChip } from "@/entities/room/room-status.tsx";
import { formatDateTime, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { type KeptBoard, type KeptRoom, readKeptBoard } from "@/lib/offline/kept-board.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { cardEnds, roomsOfCard } from "./kept-cards.ts";

type KeptBoardPageProps = {
  onRetry: () => void;
  /** Shown if no board is kept. */
  fallback: ReactNode;
};

/** The last board, while the server is away. Nothing on it can be changed. */
export default function KeptBoardPage({ onRetry, fallback }: KeptBoardPageProps) {
  const [board, setBoard] = useState<KeptBoard | null>();
  useEffect(() => {
    readKeptBoard().then(setBoard, () => setBoard(null));
  }, []);
  if (board === undefined) return null;
  return board ? <Rooms board={board} onRetry={onRetry} /> : fallback;
}

function Rooms({ board, onRetry }: { board: KeptBoard; onRetry: () => void }) {
  const { hotelName, timeZone, readAt, sections } = board;
  const time = formatDateTime(readAt, timeZone);
  return (
    <div data-kept-board className="mx-auto w-full max-w-[1600px] px-4 py-5 lg:px-8 lg:py-7">
      <div
        role="status"
        className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-expired/40 bg-expired-soft px-4 py-3"
      >
        <CloudOff aria-hidden className="size-5 shrink-0 text-expired" />
        <p className="min-w-0 flex-1 basis-64 text-pretty">
          <strong className="font-medium text-expired">{t("board.keptAsOf", { time })}</strong> {t("board.keptText")}
        </p>
        <Button variant="outline" onClick={onRetry}>
          {t("common.retry")}
        </Button>
      </div>
      <h1 className="text-2xl font-semibold tracking-tight">{t("board.title")}</h1>
      <p className="text-muted-foreground">{hotelName}</p>
      <CardLookUp board={board} />
      {sections.map(({ name, rooms }) => (
        <section key={name ?? ""} className="mt-5">
          {sections.length > 1 && <h2 className="mb-2 font-medium">{name ?? t("board.noGroup")}</h2>}
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))] gap-3">
            {rooms.map((room) => (
              <RoomLine key={room.name} room={room} timeZone={timeZone} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Says which room a card may be for. A reader that types its number needs neither a driver nor the server. */
function CardLookUp({ board: { sections, timeZone, readAt } }: { board: KeptBoard }) {
  const [text, setText] = useState("");
  const id = useId();
  const rooms = sections.flatMap((section) => section.rooms);
  if (!rooms.some(({ cards = [] }) => cards.length > 0)) return null;
  const ends = cardEnds(text);
  const matches = roomsOfCard(rooms, ends);
  return (
    <section className="mt-5 grid max-w-xl gap-2">
      <Label htmlFor={id}>{t("board.keptCard")}</Label>
      <Input
        id={id}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setText(target.value)}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className="text-sm text-pretty text-muted-foreground">
        {t("board.keptCardHint")}
      </p>
      {ends.length > 0 && (
        <div role="status" className="text-pretty">
          {matches.length === 0 ? (
            <p>{t("board.keptCardNone")}</p>
          ) : (
            <>
              {matches.map(({ room, card }) => (
                <p key={`${room.name} ${card.number}`}>
                  <strong className="font-semibold">{room.name}</strong> <bdi>{room.surname}</bdi>{" "}
                  <bdi dir="ltr" className="text-muted-foreground">
                    ••••{card.number}
                  </bdi>{" "}
                  {card.validTo && t("board.until", { when: formatShort(card.validTo, timeZone) })}
                </p>
              ))}
              <p className="text-sm text-muted-foreground">
                {t("board.keptCardNote", { time: formatDateTime(readAt, timeZone) })}
              </p>
            </>
          )}
        </div>
      )}
    </section>
  );
}

function RoomLine({ room: { name, status, surname, until }, timeZone }: { room: KeptRoom; timeZone: string }) {
  return (
    <li className="min-w-0 rounded-lg border bg-card px-3 py-2.5">
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0 truncate text-lg font-semibold tracking-tight">{name}</span>
        <RoomStatusChip status={status} size="sm" className="px-0! bg-transparent!" />
      </div>
      <p className="mt-1 min-h-5 truncate font-medium">
        <bdi>{surname}</bdi>
      </p>
      <p className="min-h-5 truncate text-sm text-muted-foreground">
        {until && t("board.until", { when: formatShort(until, timeZone) })}
      </p>
    </li>
  );
}
