import type { AppRouter } from "@innkey/server/router";
import { createTRPCClient, httpBatchLink, type TRPCLink } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { readAfterWrite } from "./events/topics.ts";
import { language } from "./i18n.ts";
import { sendNoted } from "./loading/connection.ts";
import { queryClient } from "./query-client.ts";

const TIMEOUT_MILLISECONDS = 40_000;

function fetchInTime(input: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const reads = init?.method === "GET";
  return sendNoted(() => fetch(input, { ...init, signal, credentials: "same-origin" }), reads);
}

/**
 * Reads again what a write changed, before its caller goes on. After a refusal too, because it often means that
 * somebody else was faster.
 */
const readingAfterWrites: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    if (op.type !== "mutation") return next(op);
    const answer = next(op);
    return {
      ...answer,
      subscribe: (caller) =>
        answer.subscribe({
          ...caller,
          next: (value) => {
            readAfterWrite(op.path);
            caller?.next?.(value);
          },
          error: (error) => {
            readAfterWrite(op.path);
            caller?.error?.(error);
          },
        }),
    };
  };

export const api = createTRPCClient<AppRouter>({
  links: [
    readingAfterWrites,
    httpBatchLink({
      url: "/api/trpc",
      maxItems: 10,
      headers: { "x-innkey": "1", language: language.header },
      fetch: (url, options) => fetchInTime(url, options as RequestInit),
    }),
  ],
});

/** `useQuery(trpc.rooms.board.queryOptions(input))`, `useMutation(trpc.stays.checkIn.mutationOptions())`. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client: api, queryClient });
