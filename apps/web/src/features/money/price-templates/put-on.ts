import type { TemplatePreview } from "@innkey/shared/schemas/price-templates";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { refreshRooms } from "@/entities/room/board-query.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { api, trpc } from "@/lib/trpc.ts";

/** Maximum number of rooms per write. */
const MAX_ROOMS = 500;

function parts(roomIds: readonly number[]): number[][] {
  const count = Math.ceil(roomIds.length / MAX_ROOMS);
  return Array.from({ length: count }, (_, part) => roomIds.slice(part * MAX_ROOMS, (part + 1) * MAX_ROOMS));
}

/** Returns the changes that a template would make to these rooms, in any number. The preview is never cached. */
export function previewQuery(templateId: number, roomIds: readonly number[]) {
  return queryOptions({
    queryKey: [...trpc.priceTemplates.preview.pathKey(), templateId, roomIds],
    queryFn: async ({ signal }): Promise<TemplatePreview> => {
      const answers = await Promise.all(
        parts(roomIds).map((part) => api.priceTemplates.preview.query({ templateId, roomIds: part }, { signal })),
      );
      const [first] = answers;
      if (!first) throw new Error("a preview of no room");
      return { after: first.after, rooms: answers.flatMap(({ rooms }) => rooms) };
    },
    enabled: roomIds.length > 0,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Applies a template to rooms and shows how many were updated. Queries that show prices are then read again. */
export function usePutOn() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ templateId, roomIds }: { templateId: number; roomIds: readonly number[] }) => {
      let updated = 0;
      for (const part of parts(roomIds)) {
        updated += (await api.priceTemplates.putOn.mutate({ templateId, roomIds: part })).updated;
      }
      return updated;
    },
    onSuccess: (updated) => toast.success(t("priceTemplates.done", { count: updated })),
    onSettled: () => Promise.all([refreshRooms(client), client.invalidateQueries(trpc.priceTemplates.pathFilter())]),
  });
}
