import { findRoomsInput } from "@innkey/shared/schemas/stays/availability";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FreeRoomButtons } from "@/entities/room/free-rooms.tsx";
import { GroupFilter } from "@/entities/room/group-filter.tsx";
import { firstPeriod } from "@/entities/stay/period.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { cn } from "@/lib/cn.ts";
import { formatNumber, formatPrice } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { hotelDate } from "@/lib/time/hotel-clock.ts";
import { useDebounced } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { ClosedDoor } from "@/ui/drawings.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { useZodForm } from "@/ui/form/form.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { PeriodFields } from "./period-fields.tsx";

type Kind = "reserve" | "checkIn";

/** Finds the rooms that are free for some dates, with the price of the stay. A room opens the form of its booking. */
export function FindRoomDialog({ onClose }: { onClose: () => void }) {
  const hotel = useHotel();
  const stays = useStayActions();
  const [kind, setKind] = useState<Kind>("reserve");
  const [groupId, setGroupId] = useState<number>();
  const form = useZodForm(findRoomsInput, {
    defaultValues: { unit: "day", ...firstPeriod("reserve", hotel, Date.now()) },
  });
  const [unit, startsAt, endsAt] = form.watch(["unit", "startsAt", "endsAt"]);
  // Who comes another day makes a reservation.
  const isLater =
    Boolean(startsAt) && hotelDate(Date.parse(startsAt), hotel.timeZone) > hotelDate(Date.now(), hotel.timeZone);
  const act: Kind = isLater ? "reserve" : kind;
  const search = { unit, startsAt, endsAt, arrives: act === "checkIn" };
  const input = useDebounced(search);
  const enabled = findRoomsInput.safeParse(input).success;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.availability.find.queryOptions(input, { enabled, placeholderData: keepPreviousData }),
  );
  const groups = (data?.groups ?? []).filter((group) => groupId === undefined || group.groupId === groupId);
  const count = groups.reduce((sum, { rooms }) => sum + rooms.length, 0);
  const isCurrent = !isPlaceholderData && JSON.stringify(search) === JSON.stringify(input);

  function choose(next: Kind): void {
    setKind(next);
    const period = firstPeriod(next, hotel, Date.now());
    form.setValue("startsAt", period.startsAt);
    form.setValue("endsAt", period.endsAt);
    form.setValue("unit", "day");
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t("board.findRoom")} width="lg" startsAtField>
        <div className="grid grid-cols-1 gap-5">
          <Segmented
            aria-label={t("stay.findFor")}
            options={[
              { value: "reserve", label: t("stay.reserve") },
              { value: "checkIn", label: t("stay.checkIn") },
            ]}
            value={act}
            onChange={choose}
          />
          <PeriodFields form={form} />
          <div className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
            <p aria-live="polite" className="font-medium">
              {data && enabled && t("stay.freeCount", { count, formatted: formatNumber(count) })}
            </p>
            <div className="w-full sm:w-48">
              <GroupFilter
                groups={data?.groups.flatMap(({ groupId: id, name }) => (id === null ? [] : [{ id, name }]))}
                value={groupId}
                onChange={setGroupId}
              />
            </div>
          </div>
          <div className={cn("transition-opacity", !isCurrent && "opacity-60")} aria-busy={!isCurrent}>
            {error && enabled ? (
              <ErrorState error={error} onRetry={() => void refetch()} />
            ) : !data ? (
              <Skeleton className="h-40" />
            ) : count === 0 || !enabled ? (
              <EmptyState drawing={ClosedDoor} title={t("stay.nothingFree")} className="py-6" />
            ) : (
              <FreeRoomButtons
                groups={groups}
                priceOf={({ priceMinor }) => formatPrice(priceMinor, hotel.currency)}
                onTake={(roomId) => stays[act](roomId, { unit, startsAt, endsAt })}
                aside={({ rooms, roomCount }) => (
                  <span>{t("stay.freeOf", { free: formatNumber(rooms.length), total: formatNumber(roomCount) })}</span>
                )}
              />
            )}
          </div>
        </div>
      </DialogPanel>
    </Dialog>
  );
}
