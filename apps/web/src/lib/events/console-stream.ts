import type { ConsoleEvent } from "@innkey/shared/schemas/overview/events";
import { useEffect, useSyncExternalStore } from "react";
import { checkConnection, onConnectionRestored } from "../loading/connection.ts";
import { readSoon } from "./topics.ts";

export type StreamState = "connecting" | "live" | "reconnecting";

/** Rooms with new door records; null: some may have been missed. */
type RecordListener = (roomIds: readonly number[] | null) => void;

const FIRST_RETRY_MILLISECONDS = 1000;
const MAX_RETRY_MILLISECONDS = 30_000;
const EVENTS: readonly ConsoleEvent["event"][] = ["board", "unlocks", "alerts", "changes"];

const recordListeners = new Set<RecordListener>();
const watchers = new Set<() => void>();
let state: StreamState = "connecting";
let source: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
/** Whether changes may have been missed since the last event */
let gap = false;

function set(next: StreamState): void {
  if (state === next) return;
  state = next;
  for (const watcher of watchers) watcher();
}

function tellRecords(roomIds: readonly number[] | null): void {
  for (const listener of recordListeners) listener(roomIds);
}

function readAll(): void {
  readSoon(null);
  tellRecords(null);
}

/** Board and alerts are just read again. What has content is checked by its schema, which few first pages need. */
async function hear({ type, data }: MessageEvent<string>): Promise<void> {
  if (type === "board" || type === "alerts") {
    readSoon([type]);
    return;
  }
  const { consoleEvent } = await import("@innkey/shared/schemas/overview/events");
  const event = consoleEvent.parse({ event: type, data: JSON.parse(data) });
  if (event.event === "changes") readSoon(event.data.topics);
  if (event.event !== "unlocks") return;
  readSoon(["unlocks"]);
  tellRecords(event.data.roomIds);
}

/** A newer server may send what this page doesn't understand. */
const hearOrReadAll = (event: MessageEvent<string>): void => void hear(event).catch(readAll);

function connect(): void {
  clearTimeout(timer);
  source?.close();
  source = new EventSource("/api/events");
  source.addEventListener("open", () => {
    failures = 0;
    set("live");
    if (gap) readAll();
    else tellRecords(null);
    gap = false;
  });
  for (const name of EVENTS) source.addEventListener(name, hearOrReadAll);
  source.addEventListener("error", retry);
}

/** The board and the alerts, read meanwhile, also reveal whether the session has ended. */
function retry(): void {
  source?.close();
  gap = true;
  set("reconnecting");
  void checkConnection();
  const pause = Math.min(FIRST_RETRY_MILLISECONDS * 2 ** failures, MAX_RETRY_MILLISECONDS);
  failures += 1;
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      readSoon(["board", "alerts"]);
      tellRecords(null);
      connect();
    },
    pause * (0.75 + Math.random() / 2),
  );
}

/** Browsers open few connections to a server without HTTP/2, so a hidden tab closes its own and catches up later. */
function followVisibility(): void {
  if (document.visibilityState === "hidden") disconnect();
  else if (source === undefined || source.readyState === EventSource.CLOSED) connect();
}

/** A visible page connects again as soon as the server is back. */
function connectAgain(): void {
  if (document.visibilityState === "visible") connect();
}

function disconnect(): void {
  clearTimeout(timer);
  gap ||= source !== undefined;
  source?.close();
  source = undefined;
}

function start(): () => void {
  const stopWaiting = onConnectionRestored(connectAgain);
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
    gap = false;
  };
}

/** Follows what other desks, doors and jobs change, for as long as the console is shown. */
export function useConsoleStream(): void {
  useEffect(start, []);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Returns whether changes arrive live. */
export function useStreamState(): StreamState {
  return useSyncExternalStore(watch, () => state);
}

/** Subscribes to new records of doors. `listener` must be stable. */
export function useRecordNews(listener: RecordListener): void {
  useEffect(() => {
    recordListeners.add(listener);
    return () => {
      recordListeners.delete(listener);
    };
  }, [listener]);
}
