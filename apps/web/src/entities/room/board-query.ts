import type { Board } from "@innkey/shared/schemas/property/rooms";
import { queryOptions } from "@tanstack/react-query";
import { rest } from "@/lib/rest.ts";

type BoardAnswer = { board: Board; etag: string | null };

const boardKey = ["board"] as const;

/** Rooms that didn't change keep their identity between answers, so that only changed cards are drawn again. */
export const boardQuery = queryOptions({
  queryKey: boardKey,
  queryFn: async ({ client, signal }): Promise<BoardAnswer> => {
    const cached = client.getQueryData<BoardAnswer>(boardKey);
    const response = await rest("/api/board", {
      signal,
      headers: cached?.etag ? { "if-none-match": cached.etag } : {},
    });
    if (response.status === 304 && cached) return cached;
    return { board: (await response.json()) as Board, etag: response.headers.get("etag") };
  },
  select: (answer) => answer.board,
});
