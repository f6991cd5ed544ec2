import { useSyncExternalStore } from "react";
import { rest } from "@/lib/rest.ts";
import { onReaderSettings, readerSettings } from "./reader-settings.ts";

/** The reader that is connected at this desk. */
export interface ConnectedReader {
  deviceNo: string;
  type: 1 | 2 | 3;
  /** Whether it is one of the hotel's registered readers. */
  registered: boolean;
}

const TYPES = { "1": 1, "2": 2, "3": 3 } as const;
/** Interval of the reports; a reader counts as online for two minutes after the last one. */
const REPORT_MILLISECONDS = 60_000;

let connectedReader: ConnectedReader | undefined;
let isReporting = false;
/** Asks the reader for its serial number; undefined before any reader has answered. */
let readSerial: (() => Promise<string>) | undefined;
const listeners = new Set<() => void>();

function setConnectedReader(next: ConnectedReader | undefined): void {
  connectedReader = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConnectedReader(): ConnectedReader | undefined {
  return useSyncExternalStore(subscribe, () => connectedReader);
}

/**
 * Asks the connected reader for its number, which also shows that it is still connected, and reports it to the server.
 */
export async function reportConnectedReader(): Promise<void> {
  const { connection, type } = readerSettings();
  if (connection !== "connected" || isReporting || !readSerial) return;
  isReporting = true;
  try {
    const deviceNo = (await readSerial()).trim().toUpperCase();
    if (deviceNo === "" || readerSettings().type !== type) return;
    setConnectedReader({ deviceNo, type: TYPES[type], registered: await isRegistered(deviceNo, TYPES[type]) });
  } catch {
    // The reader has no number, or the desk has no network: there is nothing to report this time.
  } finally {
    isReporting = false;
  }
}

/** An automatic request, which doesn't count as activity of an operator. */
async function isRegistered(deviceNo: string, type: ConnectedReader["type"]): Promise<boolean> {
  const response = await rest("/api/trpc/cardReaders.seen", {
    method: "POST",
    headers: { "content-type": "application/json", "x-innkey-unattended": "1" },
    body: JSON.stringify({ deviceNo, type }),
  });
  const { result } = (await response.json()) as { result: { data: { known: boolean } } };
  return result.data.known;
}

/** Reports the connected reader at intervals, from the first answer of a reader until the page is closed. */
export function startPresence(askSerial: () => Promise<string>): void {
  readSerial = askSerial;
  onReaderSettings(() => {
    const { connection, type } = readerSettings();
    if (connection !== "connected" || TYPES[type] !== connectedReader?.type) {
      if (connectedReader) setConnectedReader(undefined);
    }
    if (connection === "connected" && !connectedReader) void reportConnectedReader();
  });
  setInterval(() => {
    if (!document.hidden) void reportConnectedReader();
  }, REPORT_MILLISECONDS);
  void reportConnectedReader();
}
