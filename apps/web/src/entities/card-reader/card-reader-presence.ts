import { useSyncExternalStore } from "react";
import { rest } from "@/lib/rest.ts";
import { deskSetting, onDeskSetting } from "./reader-settings.ts";

/** What the reader at this desk reports about itself. */
export interface DeskNumber {
  deviceNo: string;
  type: 1 | 2 | 3;
  /** Whether it is one of the hotel's registered readers. */
  known: boolean;
}

const TYPES = { "1": 1, "2": 2, "3": 3 } as const;
/** Interval of the reports; a reader counts as online for two minutes after the last one. */
const REPORT_MILLISECONDS = 60_000;

let number: DeskNumber | undefined;
let asking = false;
/** Asks the reader for its number; undefined before any reader has answered. */
let serial: (() => Promise<string>) | undefined;
const listeners = new Set<() => void>();

function set(next: DeskNumber | undefined): void {
  number = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDeskNumber(): DeskNumber | undefined {
  return useSyncExternalStore(subscribe, () => number);
}

/**
 * Asks the connected reader for its number, which also shows that it is still connected, and reports it to the server.
 */
export async function reportDeskReader(): Promise<void> {
  const { connection, type } = deskSetting();
  if (connection !== "connected" || asking || !serial) return;
  asking = true;
  try {
    const deviceNo = (await serial()).trim().toUpperCase();
    if (deviceNo === "" || deskSetting().type !== type) return;
    set({ deviceNo, type: TYPES[type], known: await isRegistered(deviceNo, TYPES[type]) });
  } catch {
    // The reader has no number, or the desk has no network: there is nothing to report this time.
  } finally {
    asking = false;
  }
}

/** An automatic request, which doesn't count as activity of an operator. */
async function isRegistered(deviceNo: string, type: DeskNumber["type"]): Promise<boolean> {
  const response = await rest("/api/trpc/cardReaders.seen", {
    method: "POST",
    headers: { "content-type": "application/json", "x-innkey-unattended": "1" },
    body: JSON.stringify({ deviceNo, type }),
  });
  const { result } = (await response.json()) as { result: { data: { known: boolean } } };
  return result.data.known;
}

/** Starts with the first reader that answers, and runs until the page is closed. */
export function startPresence(ask: () => Promise<string>): void {
  serial = ask;
  onDeskSetting(() => {
    const { connection, type } = deskSetting();
    if (connection !== "connected" || TYPES[type] !== number?.type) {
      if (number) set(undefined);
    }
    if (connection === "connected" && !number) void reportDeskReader();
  });
  setInterval(() => {
    if (!document.hidden) void reportDeskReader();
  }, REPORT_MILLISECONDS);
  void reportDeskReader();
}
