import type { AppRouter } from "@innkey/server/router";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { api } from "./api.ts";
import { queryClient } from "./query-client.ts";

/** `useQuery(trpc.rooms.board.queryOptions(input))`, `useMutation(trpc.stays.checkIn.mutationOptions())`. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client: api, queryClient });
