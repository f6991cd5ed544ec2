import type { BreakfastDay } from "@innkey/shared/schemas/breakfast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMe } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";

/** Ticks guests off or takes a tick back: at once on screen, and as it was again if the server refuses. */
export function useTicking(date: string | undefined) {
  const client = useQueryClient();
  const { name } = useMe();
  const { queryKey } = trpc.breakfast.list.queryOptions({ date });
  return useMutation(
    trpc.breakfast.tick.mutationOptions({
      onMutate: async ({ manageIds, used }) => {
        await client.cancelQueries({ queryKey });
        const before = client.getQueryData<BreakfastDay>(queryKey);
        const mark = used
          ? { usedAt: new Date().toISOString(), operatorName: name }
          : { usedAt: null, operatorName: null };
        client.setQueryData<BreakfastDay>(
          queryKey,
          before && {
            ...before,
            guests: before.guests.map((guest) =>
              manageIds.includes(guest.manageId) && (guest.usedAt !== null) !== used ? { ...guest, ...mark } : guest,
            ),
          },
        );
        return { before };
      },
      onError: (_error, _input, context) => client.setQueryData(queryKey, context?.before),
      onSettled: () => client.invalidateQueries({ queryKey }),
    }),
  );
}
