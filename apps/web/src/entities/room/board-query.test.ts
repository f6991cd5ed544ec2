import type { Board, BoardDifference, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";

const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 0 } } });
vi.mock("@/lib/query-client.ts", () => ({ queryClient }));
type BoardEvent = { version: string | null; difference: BoardDifference | null };
let onBoard: (event: BoardEvent, isFirst: boolean) => void = () => undefined;
const topics = { readBoard: vi.fn(), readSoon: vi.fn() };
vi.mock("@/lib/events/topics.ts", () => topics);
vi.mock("@/lib/events/console-stream.ts", () => ({
  onBoardEvents: (listener: typeof onBoard) => {
    onBoard = listener;
  },
}));
const markChangedRooms = vi.fn();
vi.mock("@/lib/events/mark-changed.ts", () => ({ markChangedRooms }));
vi.mock("@/lib/i18n.ts", () => ({ language: { tag: "en" } }));
const rest = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
vi.mock("@/lib/rest.ts", () => ({ rest }));

const { boardQuery } = await import("./board-query.ts");

const room = (id: number, status: BoardRoom["status"]) => ({ id, status }) as BoardRoom;
const SOON = "2026-11-24T16:00:00.000Z";
const LATER = "2026-11-25T00:00:00.000Z";
const board = (version: string, ...rooms: BoardRoom[]): Board => ({ version, changesAt: LATER, groups: [], rooms });
const difference = (since: string, version: string, ...rooms: BoardRoom[]): BoardDifference => ({
  ...{ version, since, etag: `"${version}"`, changesAt: SOON, rooms },
});
const answer = (body: Board | BoardDifference) =>
  new Response(JSON.stringify(body), { headers: { etag: `"${body.version}"` } });

const read = () => queryClient.fetchQuery(boardQuery);
const shown = () => queryClient.getQueryData<{ board: Board; etag: string }>(["board"]);
const statuses = () => shown()?.board.rooms.map(({ status }) => status);

/** Delivers an event, and returns whether the board took it over, so that only other pages are read. */
function takeEvent(event: BoardEvent): boolean {
  topics.readSoon.mockClear();
  onBoard(event, false);
  expect(topics.readSoon).toHaveBeenCalledOnce();
  return topics.readSoon.mock.calls[0]?.[0][0] === "roomPages";
}

beforeEach(async () => {
  queryClient.clear();
  vi.clearAllMocks();
  rest.mockReset();
  rest.mockResolvedValueOnce(answer(board("5", room(1, "vacant"), room(2, "vacant"))));
  await read();
  expect(rest.mock.calls).toEqual([["/api/board", expect.anything()]]);
});

it("asks for what changed since its own board, and puts these rooms in their places", async () => {
  const [first] = shown()?.board.rooms ?? [];
  rest.mockResolvedValueOnce(answer(difference("5", "7", room(2, "dirty"))));
  await read();
  expect(rest.mock.lastCall).toMatchObject(["/api/board?since=%225%22", { headers: { "if-none-match": '"5"' } }]);
  expect(statuses()).toEqual(["vacant", "dirty"]);
  expect(shown()).toMatchObject({ etag: '"7"', board: { version: "7", changesAt: SOON } });
  expect(shown()?.board.rooms[0]).toBe(first);
});

it("stays as it is when nothing changed, and takes a whole board if the server sends one", async () => {
  rest.mockResolvedValueOnce(new Response(null, { status: 304 }));
  await read();
  expect(shown()?.board.version).toBe("5");
  // A restored backup has an older board.
  rest.mockResolvedValueOnce(answer(board("3", room(1, "dirty"))));
  await read();
  expect(shown()).toMatchObject({ etag: '"3"', board: { version: "3", rooms: [{ status: "dirty" }] } });
});

it("reads the whole board if a difference doesn't follow on its own", async () => {
  rest.mockResolvedValueOnce(answer(difference("6", "7", room(2, "dirty"))));
  rest.mockResolvedValueOnce(answer(board("7", room(1, "dirty"), room(2, "dirty"))));
  await read();
  expect(statuses()).toEqual(["dirty", "dirty"]);
});

it("takes over events that follow on its own board, and refuses others", () => {
  expect(takeEvent({ version: "5", difference: null })).toBe(true);
  expect(takeEvent({ version: "6", difference: difference("5", "6", room(1, "dirty")) })).toBe(true);
  expect(takeEvent({ version: "8", difference: difference("4", "8", room(2, "reserved")) })).toBe(true);
  expect(statuses()).toEqual(["dirty", "reserved"]);
  expect(takeEvent({ version: "10", difference: difference("9", "10", room(1, "vacant")) })).toBe(false);
  expect(takeEvent({ version: "7", difference: difference("6", "7", room(1, "vacant")) })).toBe(false);
  expect(takeEvent({ version: "9", difference: null })).toBe(false);
  expect(takeEvent({ version: null, difference: null })).toBe(false);
  expect(shown()?.board.version).toBe("8");
});

it("refuses a difference from after a time at which rooms change without a write", () => {
  expect(takeEvent({ version: "6", difference: difference("5", "6", room(1, "maintenance")) })).toBe(true);
  const later = { ...difference("6", "7", room(2, "dirty")), changesAt: LATER };
  expect(takeEvent({ version: "7", difference: later })).toBe(false);
  expect(shown()?.etag).toBe('"6"');
});

it("an answer that is older than an event in the meantime is dropped", async () => {
  let arrive = (_response: Response): void => undefined;
  rest.mockReturnValueOnce(new Promise((resolve) => (arrive = resolve)));
  const reading = read();
  await vi.waitFor(() => expect(rest).toHaveBeenCalledTimes(2));
  takeEvent({ version: "7", difference: difference("5", "7", room(1, "reserved")) });
  arrive(answer(difference("5", "6", room(1, "dirty"))));
  await reading;
  expect(statuses()).toEqual(["reserved", "vacant"]);
  expect(shown()?.board.version).toBe("7");
});

it("the event that begins a connection reads only the board, and only if it is of another version", () => {
  onBoard({ version: "5", difference: null }, true);
  expect(topics.readBoard).not.toHaveBeenCalled();
  onBoard({ version: "6", difference: null }, true);
  expect(topics.readBoard).toHaveBeenCalledOnce();
  expect(topics.readSoon).not.toHaveBeenCalled();
});

it("marks the rooms that an event changed, and not those that it lists as they were", () => {
  takeEvent({ version: "6", difference: difference("5", "6", room(1, "vacant"), room(2, "dirty")) });
  expect(markChangedRooms.mock.calls).toEqual([[[2]]]);
});

it("marks all rooms of an event on a page that never read the board", () => {
  queryClient.clear();
  takeEvent({ version: "6", difference: difference("5", "6", room(2, "dirty")) });
  expect(markChangedRooms.mock.calls).toEqual([[[2]]]);
});
