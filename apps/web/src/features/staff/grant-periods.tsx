import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId, useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { HotelDateTimeInput } from "@/ui/form/hotel-date-time-input.tsx";
import { Combobox } from "@/ui/primitives/combobox.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import { type GrantValue, isTemporary } from "./grant-value.ts";

type GrantPeriodsProps = { value: readonly GrantValue[]; onChange: (grants: GrantValue[]) => void };

/** Edits the periods of temporary room grants, and adds a period to a permanent one. */
export function GrantPeriods({ value, onChange }: GrantPeriodsProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<readonly number[]>([]);
  const rooms = useQuery(boardQuery).data?.rooms ?? [];
  const nameOf = (roomId: number): string => rooms.find(({ id }) => id === roomId)?.name ?? String(roomId);
  const visible = value.filter((grant) => isTemporary(grant) || opened.includes(grant.roomId));
  const others = value.filter((grant) => !visible.includes(grant));
  const change = (roomId: number, period: Partial<GrantValue>): void =>
    onChange(value.map((grant) => (grant.roomId === roomId ? { ...grant, ...period } : grant)));
  if (value.length === 0) return null;

  return (
    <fieldset>
      <legend className="text-sm font-medium">{t("staff.temporary")}</legend>
      <p className="mb-2 text-sm text-muted-foreground">{t("staff.temporaryText")}</p>
      <div className="grid gap-3">
        {visible.map((grant) => (
          <Period
            key={grant.roomId}
            grant={grant}
            name={nameOf(grant.roomId)}
            onChange={(period) => change(grant.roomId, period)}
            onDrop={() => {
              setOpened(opened.filter((roomId) => roomId !== grant.roomId));
              change(grant.roomId, { startsAt: null, endsAt: null });
            }}
          />
        ))}
        {others.length > 0 && (
          <Combobox
            value={null}
            aria-label={t("staff.addPeriod")}
            placeholder={t("staff.addPeriod")}
            className="max-w-64"
            options={others.map(({ roomId }) => ({
              value: roomId,
              label: t("board.roomNamed", { name: nameOf(roomId) }),
            }))}
            onChange={(roomId) => roomId !== null && setOpened([...opened, roomId])}
          />
        )}
      </div>
    </fieldset>
  );
}

type PeriodProps = {
  grant: GrantValue;
  name: string;
  onChange: (period: Partial<GrantValue>) => void;
  onDrop: () => void;
};

function Period({ grant, name, onChange, onDrop }: PeriodProps) {
  const { t } = useTranslation();
  const id = useId();
  const { startsAt, endsAt } = grant;
  const backwards = Boolean(startsAt && endsAt && endsAt <= startsAt);
  const room = t("board.roomNamed", { name });
  return (
    <fieldset aria-label={room} className="rounded-md border p-3">
      <div className="mb-2 flex items-center justify-between gap-2">
        <span className="font-medium">{room}</span>
        <IconButton icon={X} label={t("staff.dropPeriod", { room: name })} size="iconSm" onClick={onDrop} />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <div className="grid content-start gap-1">
          <label htmlFor={`${id}from`} className="text-sm text-muted-foreground">
            {t("doors.from")}
          </label>
          <HotelDateTimeInput
            id={`${id}from`}
            value={startsAt ?? null}
            onChange={(instant) => onChange({ startsAt: instant })}
          />
        </div>
        <div className="grid content-start gap-1">
          <label htmlFor={`${id}to`} className="text-sm text-muted-foreground">
            {t("doors.to")}
          </label>
          <HotelDateTimeInput
            id={`${id}to`}
            value={endsAt ?? null}
            onChange={(instant) => onChange({ endsAt: instant })}
            aria-invalid={backwards || undefined}
            aria-describedby={backwards ? `${id}error` : undefined}
          />
          {backwards && (
            <p id={`${id}error`} className="text-sm text-danger">
              {t("validation.endBeforeStart")}
            </p>
          )}
        </div>
      </div>
    </fieldset>
  );
}
