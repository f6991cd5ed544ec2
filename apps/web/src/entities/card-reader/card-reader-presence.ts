import type { cardReaderPresence } from "@innkey/shared/schemas/access/card-readers";
import { useSyncExternalStore } from "react";
import type { z } from "zod";
import { rest } from "@/lib/rest.ts";
import { ReaderError } from "@/readers/reader-error.ts";
import { onReaderSettings, readerSettings } from "./reader-settings.ts";

/** The reader that is connected at this desk. */
export interface ConnectedReader {
  deviceNo: string;
  type: 1 | 2 | 3;
  /** Whether it is one of the hotel's registered readers. */
  registered: boolean;
  /** Whether the person at this desk may use it. */
  allowed: boolean;
  /** Names of those who may, if the person may not. */
  holders: readonly string[];
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
    setConnectedReader(await reportPresence(deviceNo, TYPES[type]));
  } catch {
    // The reader has no number, or the desk has no network: there is nothing to report this time.
  } finally {
    isReporting = false;
  }
}

/** An automatic request, which doesn't count as activity of an operator. */
async function reportPresence(deviceNo: string, type: ConnectedReader["type"]): Promise<ConnectedReader> {
  const response = await rest("/api/trpc/cardReaders.seen", {
    method: "POST",
    headers: { "content-type": "application/json", "x-innkey-unattended": "1" },
    body: JSON.stringify({ deviceNo, type }),
  });
  const { result } = (await response.json()) as { result: { data: Presence } };
  const { known: registered, allowed, holders } = result.data;
  return { deviceNo, type, registered, allowed, holders };
}

type Presence = z.infer<typeof cardReaderPresence>;

/**
 * Returns the reader at this desk, with who may use it; undefined if it has no number or the server doesn't answer. A
 * refusal is asked for again, because the reader may have been bound anew.
 */
export async function findUsedReader(askSerial: () => Promise<string>): Promise<ConnectedReader | undefined> {
  const { type } = readerSettings();
  const current = connectedReader?.type === TYPES[type] ? connectedReader : undefined;
  if (current?.allowed) return current;
  try {
    const deviceNo = current?.deviceNo ?? (await askSerial()).trim().toUpperCase();
    if (deviceNo === "") return undefined;
    const reader = await reportPresence(deviceNo, TYPES[type]);
    setConnectedReader(reader);
    return reader;
  } catch (error) {
    // A reader that doesn't open won't read a card either; one that can't tell its number may.
    if (error instanceof ReaderError && (error.step === "open" || error.kind === "cancelled")) throw error;
    return undefined;
  }
}

/** Number of the reader at this desk, which the server checks when a card is read or written. */
export const usedReaderNumber = (): string | undefined => connectedReader?.deviceNo;

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
