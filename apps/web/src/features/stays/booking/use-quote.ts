import type { StayUnit } from "@innkey/shared/enums";
import { quoteInput } from "@innkey/shared/schemas/stays";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { trpc } from "@/lib/trpc.ts";
import { useDebounced } from "@/ui/use-debounced.ts";

type Quoted = { roomId: number; unit: StayUnit; startsAt: string; endsAt: string };

/** The price of a period as it stands, asked for once the clerk pauses. `settled`: it is the price of what is typed. */
export function useQuote(wanted: Quoted) {
  const input = useDebounced(wanted);
  const enabled = quoteInput.safeParse(input).success;
  const query = useQuery(
    trpc.stays.quote.queryOptions(input, { enabled, placeholderData: keepPreviousData, staleTime: 5_000 }),
  );
  const typed = JSON.stringify(wanted) === JSON.stringify(input);
  return {
    quote: enabled ? query.data : undefined,
    error: query.error,
    refetch: query.refetch,
    settled: typed && !query.isPlaceholderData && !query.isPending,
  };
}
