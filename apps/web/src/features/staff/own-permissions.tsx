import { CAPABILITY_NAMES, type Capability } from "@innkey/shared/capabilities";
import { useQuery } from "@tanstack/react-query";
import { areasOf } from "@/lib/capability-areas.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { CardHeading } from "@/ui/card-parts.tsx";
import { Disclosure } from "@/ui/disclosure.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Badge } from "@/ui/primitives/badge.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { isTemporary } from "./operator-form.ts";
import { periodText } from "./people-grid.tsx";

/** Shows what the logged-in staff member may do in this hotel, and in which rooms. */
export function OwnPermissions() {
  const can = useCan();
  const mine: Capability[] = CAPABILITY_NAMES.filter((name) => can(name));
  return (
    <Card>
      <CardHeading title={t("staff.own")} />
      <CardContent className="grid gap-5">
        {mine.length === 0 ? (
          <p className="text-muted-foreground">{t("staff.ownNothing")}</p>
        ) : mine.length === CAPABILITY_NAMES.length ? (
          // Who may do everything needs no list of it.
          <div className="grid gap-1">
            <p className="text-muted-foreground">{t("staff.ownEverything")}</p>
            <Disclosure label={t("staff.ownList")}>
              <PermissionList names={mine} />
            </Disclosure>
          </div>
        ) : (
          <PermissionList names={mine} />
        )}
        <OwnRooms />
      </CardContent>
    </Card>
  );
}

function PermissionList({ names: granted }: { names: Capability[] }) {
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      {areasOf(granted).map(({ area, names }) => (
        <div key={area}>
          <dt className="text-sm font-medium">{t(`staff.area.${area}`)}</dt>
          {names.map((name) => (
            <dd key={name} className="text-sm text-muted-foreground">
              {t(`staff.capability.${name}`)}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

function OwnRooms() {
  const { timeZone } = useHotel();
  const { data, error, refetch } = useQuery(trpc.staff.own.queryOptions());
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-12" />;
  return (
    <section>
      <h3 className="mb-2 text-sm font-medium">{t("staff.rooms")}</h3>
      {data.rooms === null ? (
        <p className="text-sm text-muted-foreground">{t("staff.ownAllRooms")}</p>
      ) : data.rooms.length === 0 ? (
        <p className="text-sm text-muted-foreground">{t("staff.ownNoRooms")}</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {data.rooms.map((room) => (
            <li key={room.roomId}>
              <Badge variant={isTemporary(room) ? "default" : "outline"}>
                <bdi>{room.roomName}</bdi>
                {isTemporary(room) && <span className="font-normal">{periodText(room, timeZone)}</span>}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
