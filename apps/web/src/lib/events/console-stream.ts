import type { ConsoleEvent } from "@innkey/shared/schemas/overview/events";
import { useEffect, useSyncExternalStore } from "react";
import { checkConnection, onConnectionRestored } from "../loading/connection.ts";
import { readSoon } from "./topics.ts";

export type StreamState = "connecting" | "live" | "reconnecting";

export type BoardEvent = Extract<ConsoleEvent, { event: "board" }>["data"];

/**
 * Takes what changed on the board. `isFirst`: the event is the one with which each connection begins, and nothing was
 * missed before it.
 */
type BoardListener = (data: BoardEvent, isFirst: boolean) => void;

/** Gets the rooms with new door records; null if events may have been missed. */
type RecordListener = (roomIds: readonly number[] | null) => void;

const FIRST_RETRY_MILLISECONDS = 1000;
const MAX_RETRY_MILLISECONDS = 30_000;
const EVENTS: readonly ConsoleEvent["event"][] = ["board", "unlocks", "alerts", "changes"];

/** Used until a page that shows the board is loaded. Before that, only other pages can show its rooms. */
let boardListener: BoardListener = (_data, isFirst) => {
  if (!isFirst) readSoon(["board"]);
};
const recordListeners = new Set<RecordListener>();
const watchers = new Set<() => void>();
let state: StreamState = "connecting";
let source: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
/** Whether changes may have been missed since the last event. */
let hasGap = false;
/** Whether the next `board` event is the one with which each connection begins, and nothing was missed before it. */
let isBoardCurrent = false;

function setState(next: StreamState): void {
  if (state === next) return;
  state = next;
  for (const watcher of watchers) watcher();
}

function notifyRecordListeners(roomIds: readonly number[] | null): void {
  for (const listener of recordListeners) listener(roomIds);
}

function readAll(): void {
  readSoon(null);
  notifyRecordListeners(null);
}

function handleBoardEvent(data: BoardEvent): void {
  const isFirst = isBoardCurrent;
  isBoardCurrent = false;
  boardListener(data, isFirst);
}

/**
 * Alerts are only refetched, and the board's events are as trusted as the board itself. Other events are parsed; their
 * schema is loaded on first use because the first page rarely needs it.
 */
async function handleEvent({ type, data }: MessageEvent<string>): Promise<void> {
  if (type === "board") return handleBoardEvent(JSON.parse(data) as BoardEvent);
  if (type === "alerts") return readSoon([type]);
  const { consoleEvent } = await import("@innkey/shared/schemas/overview/events");
  const event = consoleEvent.parse({ event: type, data: JSON.parse(data) });
  if (event.event === "changes") readSoon(event.data.topics);
  if (event.event !== "unlocks") return;
  readSoon(["unlocks"]);
  notifyRecordListeners(event.data.roomIds);
}

/** A newer server may send events that this page doesn't understand. */
const handleOrReadAll = (event: MessageEvent<string>): void => void handleEvent(event).catch(readAll);

function connect(): void {
  clearTimeout(timer);
  source?.close();
  source = new EventSource("/api/events");
  source.addEventListener("open", () => {
    failures = 0;
    setState("live");
    // A door may have reported between the page's read and the opening of the stream.
    if (hasGap) readAll();
    else notifyRecordListeners(null);
    isBoardCurrent = !hasGap;
    hasGap = false;
  });
  for (const name of EVENTS) source.addEventListener(name, handleOrReadAll);
  source.addEventListener("error", retry);
}

/** Refetches board and alerts before reconnecting; a 401 there shows that the session has ended. */
function retry(): void {
  source?.close();
  hasGap = true;
  setState("reconnecting");
  void checkConnection();
  const pause = Math.min(FIRST_RETRY_MILLISECONDS * 2 ** failures, MAX_RETRY_MILLISECONDS);
  failures += 1;
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      readSoon(["board", "alerts"]);
      notifyRecordListeners(null);
      connect();
    },
    pause * (0.75 + Math.random() / 2),
  );
}

/**
 * Browsers limit the connections to a server without HTTP/2, so a hidden tab closes its own and reads everything later.
 */
function followVisibility(): void {
  if (document.visibilityState === "hidden") disconnect();
  else if (source === undefined || source.readyState === EventSource.CLOSED) connect();
}

/** A visible page reconnects as soon as the server is back, even if only other requests have failed. */
function reconnect(): void {
  hasGap = true;
  if (document.visibilityState === "visible") connect();
}

function disconnect(): void {
  clearTimeout(timer);
  hasGap = true;
  source?.close();
  source = undefined;
}

/** Opens the stream, and returns the function that closes it. */
export function startConsoleStream(): () => void {
  const stopWaiting = onConnectionRestored(reconnect);
  window.addEventListener("online", followVisibility);
  document.addEventListener("visibilitychange", followVisibility);
  followVisibility();
  return () => {
    stopWaiting();
    window.removeEventListener("online", followVisibility);
    document.removeEventListener("visibilitychange", followVisibility);
    disconnect();
    state = "connecting";
    failures = 0;
    hasGap = false;
  };
}

/** Follows the changes of other desks, doors and jobs while the console is mounted. */
export function useConsoleStream(): void {
  useEffect(startConsoleStream, []);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Returns whether changes arrive live. */
export function useStreamState(): StreamState {
  return useSyncExternalStore(watch, () => state);
}

/** Sets what takes over the changes of the board. */
export function onBoardEvents(listener: BoardListener): void {
  boardListener = listener;
}

export function onUnlockEvents(listener: RecordListener): () => void {
  recordListeners.add(listener);
  return () => {
    recordListeners.delete(listener);
  };
}

/** Subscribes to new door records. `listener` must be stable. */
export function useUnlockEvents(listener: RecordListener): void {
  useEffect(() => onUnlockEvents(listener), [listener]);
}
