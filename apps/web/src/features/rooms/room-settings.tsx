import type { RoomDetail } from "@innkey/shared/schemas/property/rooms";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Archive } from "lucide-react";
import { confirm } from "@/lib/confirm.ts";
import { formatDateTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading } from "@/ui/card-heading.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { RoomForm } from "./room-form.tsx";

export function RoomSettings({ room }: { room: RoomDetail }) {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[1fr_22rem]">
      <Card>
        <CardContent className="pt-5">
          <RoomForm room={room} onSaved={() => undefined} />
        </CardContent>
      </Card>
      <div className="grid grid-cols-1 gap-5">
        {room.lock && <LockFacts lock={room.lock} />}
        <Card>
          <CardHeading title={t("room.deleteTitle")} description={t("room.deleteText")} />
          <CardContent>
            <ArchiveButton room={room} />
          </CardContent>
        </Card>
      </div>
    </div>
  );
}

function LockFacts({ lock }: { lock: NonNullable<RoomDetail["lock"]> }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const facts = [
    [t("room.mac"), lock.mac],
    [t("room.bluetoothName"), lock.bluetoothName || "–"],
    [t("room.driver"), lock.driver || "–"],
    [t("room.firmware"), lock.firmware || "–"],
    [t("room.lastSeen"), lock.lastSeenAt ? formatDateTime(lock.lastSeenAt, timeZone) : t("room.neverSeen")],
  ] as const;
  return (
    <Card>
      <CardHeading title={t("room.lock")} />
      <CardContent>
        <dl className="grid gap-2">
          {facts.map(([name, value]) => (
            <div key={name} className="flex items-baseline justify-between gap-4">
              <dt className="text-muted-foreground">{name}</dt>
              <dd className="min-w-0 truncate">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </CardContent>
    </Card>
  );
}

function ArchiveButton({ room }: { room: RoomDetail }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const deletion = useMutation(trpc.rooms.delete.mutationOptions());

  async function ask(): Promise<void> {
    const isDeleted = await confirm({
      title: t("room.deleteAsk", { name: room.name }),
      description: t("room.deleteText"),
      confirmLabel: t("room.delete"),
      tone: "danger",
      action: () => deletion.mutateAsync({ roomId: room.id }),
    });
    if (!isDeleted) return;
    toast.success(t("room.deleted", { name: room.name }));
    await navigate({ to: "/room" });
  }

  return (
    <ActionButton variant="ghost-destructive" onClick={() => void ask()}>
      <Archive aria-hidden />
      {t("room.delete")}
    </ActionButton>
  );
}
