import type { Board } from "@innkey/shared/schemas/rooms";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { rest } from "@/lib/rest.ts";
import { trpc } from "@/lib/trpc.ts";

type BoardAnswer = { board: Board; etag: string | null };

const boardKey = ["board"] as const;

/** Rooms that didn't change keep their identity from one answer to the next, so that only changed cards draw again. */
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

/** After an act of this desk: the board and the details of its rooms are read again. */
export async function refreshRooms(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: boardKey }),
    client.invalidateQueries(trpc.rooms.detail.pathFilter()),
  ]);
}

/** Reads the board (and a room's page) until nothing newer was announced; what is announced while a read runs is read once more after it. */
export function boardReader(client: QueryClient): () => void {
  let running = false;
  let again = false;
  const read = async (): Promise<void> => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    again = client.isFetching({ queryKey: boardKey }) > 0;
    void client.invalidateQueries(trpc.rooms.detail.pathFilter());
    await client.refetchQueries({ queryKey: boardKey }, { cancelRefetch: false });
    running = false;
    if (again) await read();
  };
  return () => void read();
}
