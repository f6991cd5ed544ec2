import type { HotelNoticeInput } from "@innkey/shared/schemas/notices";
import type { Board } from "@innkey/shared/schemas/rooms";
import { useId } from "react";
import { RoomChoice } from "@/entities/room/room-choice.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { Checkbox } from "@/ui/primitives/checkbox.tsx";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

type To = HotelNoticeInput["to"];
type NoticeToProps = {
  board: Board | undefined;
  value: To;
  /** Reason why the chosen recipients are not valid. */
  message: string | undefined;
  onChange: (to: To) => void;
};

const EMPTY: Record<To["kind"], To> = {
  all: { kind: "all" },
  groups: { kind: "groups", groupIds: [] },
  rooms: { kind: "rooms", roomIds: [] },
};

/** Chooses all locks, room groups, or single rooms. */
export function NoticeTo({ board, value, message, onChange }: NoticeToProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <fieldset aria-describedby={message ? `${id}-message` : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{t("notices.to")}</legend>
      <Segmented
        aria-label={t("notices.to")}
        className="w-full sm:w-auto"
        value={value.kind}
        onChange={(kind) => onChange(EMPTY[kind])}
        options={[
          { value: "all", label: t("notices.all") },
          { value: "groups", label: t("notices.groups"), disabled: board?.groups.length === 0 },
          { value: "rooms", label: t("notices.rooms") },
        ]}
      />
      <div className="mt-3">
        {value.kind === "groups" && board && <Groups board={board} value={value.groupIds} onChange={onChange} />}
        {value.kind === "rooms" &&
          (board ? (
            <RoomChoice
              board={board}
              value={new Set(value.roomIds)}
              onChange={(rooms) => onChange({ kind: "rooms", roomIds: [...rooms] })}
            />
          ) : (
            <Skeleton className="h-40" />
          ))}
      </div>
      {message && (
        <p id={`${id}-message`} role="alert" className="mt-1.5 text-sm font-medium text-danger">
          {message}
        </p>
      )}
    </fieldset>
  );
}

function Groups({ board, value, onChange }: { board: Board; value: number[]; onChange: (to: To) => void }) {
  const id = useId();
  return (
    <ul className="grid gap-2 sm:grid-cols-2">
      {board.groups
        .toSorted((a, b) => a.sort - b.sort)
        .map((group) => (
          <li key={group.id} className="flex min-h-9 items-center gap-2.5">
            <Checkbox
              id={`${id}${group.id}`}
              value={value.includes(group.id)}
              onChange={(on) =>
                onChange({
                  kind: "groups",
                  groupIds: on ? [...value, group.id] : value.filter((groupId) => groupId !== group.id),
                })
              }
            />
            <label htmlFor={`${id}${group.id}`} className="min-w-0 truncate">
              <bdi>{group.name}</bdi>
            </label>
          </li>
        ))}
    </ul>
  );
}
