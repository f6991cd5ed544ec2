import { useEffect, useSyncExternalStore } from "react";
import { checkConnection, onConnectionRestored } from "@/lib/loading/connection.ts";
import type { Connection } from "@/ui/live-mark.tsx";

/** What the doors have to tell: records of these rooms (null: ask for all, some may have been missed), or messages. */
export type DoorNews = { about: "records"; roomIds: readonly number[] | null } | { about: "messages" };
type Listener = (news: DoorNews) => void;

const FIRST_RETRY_MILLISECONDS = 1000;
const MAX_RETRY_MILLISECONDS = 30_000;

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
let connection: Connection = "connecting";
let source: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
let stopWaiting = (): void => undefined;

function set(next: Connection): void {
  if (connection === next) return;
  connection = next;
  for (const watcher of watchers) watcher();
}

function publishNews(news: DoorNews): void {
  for (const listener of listeners) listener(news);
}

function askForAll(): void {
  publishNews({ about: "records", roomIds: null });
  publishNews({ about: "messages" });
}

function roomsOf(event: Event): readonly number[] | null {
  if (!(event instanceof MessageEvent)) return null;
  const { roomIds } = JSON.parse(String(event.data)) as { roomIds: number[] | null };
  return roomIds?.length ? roomIds : null;
}

function connect(): void {
  clearTimeout(timer);
  source?.close();
  source = new EventSource("/api/unlocks/events");
  source.addEventListener("open", () => {
    failures = 0;
    set("live");
    askForAll();
  });
  source.addEventListener("unlocks", (event) => publishNews({ about: "records", roomIds: roomsOf(event) }));
  source.addEventListener("messages", () => publishNews({ about: "messages" }));
  source.addEventListener("error", retry);
}

/** What is asked meanwhile also finds out whether the session has ended. */
function retry(): void {
  source?.close();
  set("reconnecting");
  void checkConnection();
  const pause = Math.min(FIRST_RETRY_MILLISECONDS * 2 ** failures, MAX_RETRY_MILLISECONDS);
  failures += 1;
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      askForAll();
      connect();
    },
    pause * (0.75 + Math.random() / 2),
  );
}

function disconnect(): void {
  clearTimeout(timer);
  source?.close();
  source = undefined;
}

/** Browsers open few connections to a house without HTTP/2: a tab that nobody looks at gives its own back. */
function followVisibility(): void {
  if (document.visibilityState === "hidden") disconnect();
  else if (source === undefined || source.readyState === EventSource.CLOSED) connect();
}

/** A page that is looked at listens again as soon as there is somebody to listen to. */
function connectAgain(): void {
  if (document.visibilityState === "visible") connect();
}

function start(): void {
  stopWaiting = onConnectionRestored(connectAgain);
  window.addEventListener("online", followVisibility);
  document.addEventListener("visibilitychange", followVisibility);
  followVisibility();
}

function stop(): void {
  stopWaiting();
  window.removeEventListener("online", followVisibility);
  document.removeEventListener("visibilitychange", followVisibility);
  disconnect();
  connection = "connecting";
  failures = 0;
}

function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (listeners.size === 1) start();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

/** One stream for everything on the page. `listener` must be stable. */
export function useDoorNews(listener: Listener): void {
  useEffect(() => listen(listener), [listener]);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Whether what is heard of the doors is heard as it happens. */
export function useDoorConnection(): Connection {
  return useSyncExternalStore(watch, () => connection);
}
