import { afterEach, beforeEach, expect, it, vi } from "vitest";

const topics = { readSoon: vi.fn() };
vi.mock("./topics.ts", () => topics);
let restoreConnection: () => void = () => undefined;
vi.mock("../loading/connection.ts", () => ({
  checkConnection: async () => true,
  onConnectionRestored: (listener: () => void) => {
    restoreConnection = listener;
    return () => undefined;
  },
}));

/** The browser's end of a stream; `dispatchEvent` stands for the server. */
class TestStream extends EventTarget {
  static readonly CLOSED = 2;
  static latest: TestStream;
  readyState = 1;
  constructor() {
    super();
    TestStream.latest = this;
  }
  close(): void {
    this.readyState = TestStream.CLOSED;
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
const onRecords = vi.fn();
const onBoard = vi.fn();

const open = () => TestStream.latest.dispatchEvent(new Event("open"));
async function send(type: string, data: unknown): Promise<void> {
  TestStream.latest.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  await vi.dynamicImportSettled();
}
function setVisibility(visibility: "visible" | "hidden"): void {
  page.visibilityState = visibility;
  page.dispatchEvent(new Event("visibilitychange"));
}

async function start(): Promise<void> {
  const stream = await import("./console-stream.ts");
  stream.startConsoleStream();
  stream.onUnlockEvents(onRecords);
  stream.onBoardEvents(onBoard);
}

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", TestStream);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", page);
  page.visibilityState = "visible";
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a page that was just read refreshes only the newest door records when the stream opens", async () => {
  await start();
  open();
  expect(topics.readSoon).not.toHaveBeenCalled();
  expect(onRecords.mock.calls).toEqual([[null]]);
});

it("passes on what changed on the board, and says which event only begins the connection", async () => {
  await start();
  open();
  const change = { version: "8", difference: { since: "7" } };
  await send("board", { version: "7", difference: null });
  await send("board", change);
  expect(onBoard.mock.calls).toEqual([
    [{ version: "7", difference: null }, true],
    [change, false],
  ]);
  expect(topics.readSoon).not.toHaveBeenCalled();
});

it("until something shows the board, a change of it refreshes the other pages that show rooms", async () => {
  const stream = await import("./console-stream.ts");
  stream.startConsoleStream();
  open();
  await send("board", { version: "7", difference: null });
  expect(topics.readSoon).not.toHaveBeenCalled();
  await send("board", { version: "8", difference: null });
  expect(topics.readSoon.mock.calls).toEqual([[["board"]]]);
});

it("announces what changes: topics, alerts, and rooms with new door records", async () => {
  await start();
  open();
  await send("changes", { topics: ["money"] });
  await send("alerts", {});
  await send("unlocks", { roomIds: [4] });
  expect(topics.readSoon.mock.calls).toEqual([[["money"]], [["alerts"]], [["unlocks"]]]);
  expect(onRecords.mock.calls).toEqual([[null], [[4]]]);
});

it("reads everything after an event that it doesn't understand", async () => {
  await start();
  open();
  await send("changes", { subjects: "all" });
  expect(topics.readSoon.mock.calls).toEqual([[null]]);
  expect(onRecords.mock.calls).toEqual([[null], [null]]);
});

it("an interrupted stream reads board and alerts while it reconnects, and everything when it is open again", async () => {
  await start();
  open();
  TestStream.latest.dispatchEvent(new Event("error"));
  await vi.advanceTimersByTimeAsync(2000);
  expect(topics.readSoon.mock.calls).toEqual([[["board", "alerts"]]]);
  open();
  await send("board", { version: "9" });
  expect(topics.readSoon.mock.calls.slice(1)).toEqual([[null]]);
  expect(onBoard.mock.calls).toEqual([[{ version: "9" }, false]]);
});

it("reads everything when the server is back, even if the stream itself was not interrupted", async () => {
  await start();
  open();
  restoreConnection();
  expect(topics.readSoon).not.toHaveBeenCalled();
  open();
  expect(topics.readSoon.mock.calls).toEqual([[null]]);
});

it.each([
  ["was hidden for a while", "visible"],
  ["was opened in the background", "hidden"],
] as const)("a tab that %s reads everything when it is shown", async (_, first) => {
  page.visibilityState = first;
  await start();
  if (first === "visible") open();
  setVisibility("hidden");
  setVisibility("visible");
  open();
  expect(topics.readSoon.mock.calls).toEqual([[null]]);
  expect(onRecords.mock.calls).toEqual(first === "visible" ? [[null], [null]] : [[null]]);
});
