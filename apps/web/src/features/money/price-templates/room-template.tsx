import type { RoomDetail } from "@innkey/shared/schemas/rooms";
import { useQuery } from "@tanstack/react-query";
import { Tags } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { UseTemplateDialog } from "./use-template-dialog.tsx";

/** Shows the template that a room's prices came from, and lets the user choose another one. */
export function RoomTemplate({
  room,
  onUsed,
}: {
  room: Pick<RoomDetail, "id" | "name" | "prices">;
  /** Called after the room's prices have changed. */
  onUsed: () => void;
}) {
  const { t } = useTranslation();
  const manage = useCan()("prices.manage");
  const [choosing, setChoosing] = useState(false);
  const { data: template, isPending } = useQuery(trpc.priceTemplates.ofRoom.queryOptions({ roomId: room.id }));
  return (
    <div className="mb-5 flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2 border-b pb-4">
      <Tags aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <p className="min-w-0 flex-1 basis-48">
        {isPending ? (
          <Skeleton className="h-5 w-48" />
        ) : template ? (
          <>
            <span className="font-medium">{t("priceTemplates.from", { name: template.name })}</span>
            {!template.same && <span className="ms-2 text-expired">{t("priceTemplates.differs")}</span>}
          </>
        ) : (
          <span className="text-muted-foreground">{room.prices ? t("priceTemplates.byHand") : "–"}</span>
        )}
      </p>
      {manage && (
        <Button needsServer onClick={() => setChoosing(true)}>
          {t("priceTemplates.use")}
        </Button>
      )}
      {choosing && (
        <UseTemplateDialog room={room} current={template?.id} onUsed={onUsed} onClose={() => setChoosing(false)} />
      )}
    </div>
  );
}
